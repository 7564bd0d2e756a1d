/// The state of a live session; see the table of transitions in `Documentation/Live.md`.
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
