/// Whether a kind of engine can run a request on this machine.
package struct EngineCapability: Sendable, Hashable {
    /// The kind of answer; there may be more in later versions, which count as ``needsAssets``.
    package struct Kind: RawRepresentable, Sendable, Hashable {
        /// Everything the engine needs is on this machine; loading it may still take seconds.
        package static let ready = Kind(rawValue: "ready")
        /// Something has to be downloaded or installed first.
        package static let needsAssets = Kind(rawValue: "needs_assets")
        /// The request cannot be run here.
        package static let unavailable = Kind(rawValue: "unavailable")

        /// The name, as in the JSON of programs.
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The kind of answer.
    package let kind: Kind
    /// A sentence for users: which assets are needed, or why the engine is unavailable and what helps; nil when ready.
    package let explanation: String?
    /// The number of bytes to download; nil when it is unknown or there are none.
    package let downloadSize: Int?

    package init(kind: Kind, explanation: String?, downloadSize: Int? = nil) {
        self.kind = kind
        self.explanation = explanation
        self.downloadSize = downloadSize
    }

    /// Everything the engine needs is on this machine.
    package static let ready = EngineCapability(kind: .ready, explanation: nil)

    /// The engine is available once its assets are there.
    ///
    /// - Parameters:
    ///   - description: A sentence that says which assets, such as “The German model has to be downloaded.”
    ///   - downloadSize: The number of bytes to download, if it is known.
    package static func needsAssets(_ description: String, downloadSize: Int? = nil) -> EngineCapability {
        EngineCapability(kind: .needsAssets, explanation: description, downloadSize: downloadSize)
    }

    /// The request cannot be run here.
    ///
    /// - Parameter reason: A sentence that says why and, where possible, what helps.
    package static func unavailable(reason: String) -> EngineCapability {
        EngineCapability(kind: .unavailable, explanation: reason)
    }
}
