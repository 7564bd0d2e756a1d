#if Store
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
            /// What the history notes of it is damaged: it cannot be read, and can be deleted.
            ///
            /// Of its other properties those have a value that can still be read.
            public static let damaged = State(rawValue: "damaged")
        }

        /// The session's identity.
        public let id: UUID
        /// The title; empty if it has none.
        public let title: String
        /// What was transcribed, such as `microphone` or a file's name.
        public let source: String
        /// When the session began.
        public let start: Date
        /// When it ended (of an interrupted session, when its last segment did); nil while it is recorded.
        public let end: Date?
        /// The length of the audio in seconds.
        public let duration: Double
        /// The language's code, given or detected.
        public let language: String?
        /// The name of the model.
        public let model: String?
        /// What became of it.
        public let state: State
        /// The number of its segments.
        public let segmentCount: Int
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
        /// The text as it was recognised; it never changes, but that a full stop may join it while it is the last one.
        public let recognizedText: String
        /// The text as a person has edited it; nil if nobody has.
        public let editedText: String?
        /// The words of the recognised text, with their times and, in a session with speaker labels, their speakers.
        public let words: [Word]
        /// The language's code, if it was detected.
        public let language: String?
        /// Who speaks all of it, as a person has set it; nil if nobody has: its words have the speakers that were heard.
        public let speaker: String?

        /// The text to show: the edited one, or else the recognised one.
        public var text: String { editedText ?? recognizedText }
    }
#endif
