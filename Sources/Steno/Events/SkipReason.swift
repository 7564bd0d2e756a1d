/// Why speech was not transcribed; later versions may add reasons.
public struct SkipReason: RawRepresentable, Sendable, Hashable {
    /// The name, as in an event's line of JSON.
    public let rawValue: String

    /// Creates a reason from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The machine could not keep up, and the caller allowed audio to be skipped.
    public static let overload = SkipReason(rawValue: "overload")
    /// The speech was shorter than any word.
    public static let tooShort = SkipReason(rawValue: "too_short")
    /// The caller cleared the transcript before the speech was transcribed.
    public static let cleared = SkipReason(rawValue: "cleared")
}
