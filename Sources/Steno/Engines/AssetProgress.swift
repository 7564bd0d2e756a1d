/// The progress of downloading or loading an engine's assets.
package struct AssetProgress: Sendable, Hashable {
    /// Receives the progress, in order, on any thread; it must return soon.
    package typealias Handler = @Sendable (AssetProgress) -> Void

    /// The fraction that is done, from 0 to 1; nil when it is unknown.
    package let fraction: Double?
    /// The current step, as a sentence for users.
    package let message: String

    /// Creates a report; a fraction outside 0 to 1 is clamped, and one that is not a number counts as unknown.
    package init(fraction: Double?, message: String) {
        self.fraction = fraction.flatMap { $0.isNaN ? nil : min(1, max(0, $0)) }
        self.message = message
    }
}
