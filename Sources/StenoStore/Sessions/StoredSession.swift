public import Foundation
public import StenoCore

/// A session in the history, without its text.
public struct StoredSession: Sendable, Hashable, Codable, Identifiable {
    /// What became of a session; states may be added.
    public struct State: RawRepresentable, Sendable, Hashable, Codable {
        /// The name, as in JSON.
        public let rawValue: String

        /// Creates a state from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It is being recorded, by this program or another one.
        public static let recording = State(rawValue: "recording")
        /// It has all of its text.
        public static let finished = State(rawValue: "finished")
        /// Its program ended before the session did; it has the text up to then, and can be continued.
        public static let interrupted = State(rawValue: "interrupted")
    }

    /// The session's identity.
    public let id: UUID
    /// The title; empty if it has none.
    public var title: String
    /// What was transcribed, such as `microphone` or a file's name.
    public var source: String
    /// When the session began.
    public let start: Date
    /// When it ended; nil while it is recorded.
    public var end: Date?
    /// The length of the audio in seconds.
    public var duration: Double
    /// The language's code, given or detected.
    public var language: String?
    /// The name of the model.
    public var model: String?
    /// What became of it.
    public var state: State
    /// The number of its segments.
    public var segmentCount: Int
}

/// A segment in the history: what was recognised, and what a person made of it.
public struct StoredSegment: Sendable, Hashable, Codable, Identifiable {
    /// The index of the segment in its session.
    public let id: Int
    /// The index of the utterance (speech between pauses).
    public let utterance: Int
    /// The start in seconds from the start of the session.
    public let start: Double
    /// The end in seconds.
    public let end: Double
    /// The text as it was recognised; it never changes.
    public let recognizedText: String
    /// The text as a person has edited it; nil if nobody has.
    public var editedText: String?
    /// The words of the recognised text, with their times.
    public let words: [Word]
    /// Who speaks, if that is known.
    public var speaker: String?

    /// The text to show: the edited one, or else the recognised one.
    public var text: String { editedText ?? recognizedText }
}
