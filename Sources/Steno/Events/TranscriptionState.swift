package import StenoCore

/// The state of a live session; `Documentation/Guides/Live.md` has a table of the transitions.
public enum TranscriptionState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Not started yet.
    case idle
    /// Allocating memory, or waiting for an asset. Audio is accepted and waits.
    case preparing
    /// Transcribing.
    case running
    /// The audio has ended; the last words are being decoded.
    case finishing
    /// Finished: all text is final. No event follows.
    case finished
    /// Cancelled before all text was final. No event follows.
    case cancelled
    /// Failed; an error event says why. No event follows.
    case failed

    /// Whether this is a final state, after which no event follows.
    package var isEnd: Bool { [.finished, .cancelled, .failed].contains(self) }
}

/// An error of a live session, or of something that reads its events.
public struct TranscriptionFailure: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// One or two sentences: what is wrong, and what to do.
    public var message: String
    /// The name of the ``StenoError/Code``, such as `outputFailed`; nil for other errors.
    public var code: String?
    /// Whether the session ends because of it.
    public var isFatal: Bool

    package init(_ message: String, code: StenoError.Code? = nil, isFatal: Bool = true) {
        self.init(message: message, code: code?.description, isFatal: isFatal)
    }

    init(message: String, code: String?, isFatal: Bool) {
        self.message = message
        self.code = code
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
