package import StenoCore

/// An error of a live session, or of something that reads its events.
public struct TranscriptionFailure: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// One or two sentences: what is wrong, and what to do.
    public var message: String
    /// The name of the ``StenoError/Code``, such as `outputFailed`; nil for other errors.
    public var code: String?
    /// Whether the session ends because of it.
    public var isFatal: Bool

    package init(_ message: String, code: StenoError.Code? = nil, isFatal: Bool = true) {
        self.message = message
        self.code = code?.description
        self.isFatal = isFatal
    }

    package init(_ error: any Error, isFatal: Bool = true) {
        if let failure = error as? TranscriptionFailure {
            self = failure
            self.isFatal = isFatal
        } else {
            self.init("\(error)", code: (error as? StenoError)?.code, isFatal: isFatal)
        }
    }

    /// The message.
    public var description: String { message }
}
