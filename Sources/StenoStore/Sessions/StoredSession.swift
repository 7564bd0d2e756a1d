#if Store
    public import Foundation
    public import StenoCore

    /// A session in the history, without its text.
    public struct StoredSession: Sendable, Hashable, Codable, Identifiable {
        /// The state of a session; later versions may add states.
        public struct State: RawRepresentable, Sendable, Hashable, Codable {
            /// The name, as in JSON.
            public let rawValue: String

            /// Creates a state from its name.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// It is being recorded, by this program or another one.
            public static let recording = State(rawValue: "recording")
            /// It is complete.
            public static let finished = State(rawValue: "finished")
            /// Its program ended before the session did; it has the text up to that point and can be continued.
            public static let interrupted = State(rawValue: "interrupted")
            /// Its record is damaged: it cannot be read, only deleted.
            ///
            /// Only properties that can still be read have a value.
            public static let damaged = State(rawValue: "damaged")
        }

        /// The session's id.
        public let id: UUID
        /// The title; empty if it has none.
        public let title: String
        /// The source of the audio, such as `microphone` or a file name.
        public let source: String
        /// When the session began.
        public let start: Date
        /// When it ended (for an interrupted session, when its last segment ended); nil while it is being recorded.
        public let end: Date?
        /// The length of the audio in seconds.
        public let duration: Double
        /// The language's code, given or detected.
        public let language: String?
        /// The name of the model.
        public let model: String?
        /// The state of the session.
        public let state: State
        /// The number of its segments.
        public let segmentCount: Int
    }

    /// A segment in the history: the recognised text, and an optional edit.
    public struct StoredSegment: Sendable, Hashable, Codable, Identifiable {
        /// The index of the segment in its session.
        public let id: Int
        /// The index of the utterance (speech between pauses).
        public let utterance: Int
        /// The start in seconds from the start of the session.
        public let start: Double
        /// The end in seconds.
        public let end: Double
        /// The recognised text, which never changes, except that a full stop may be added while it is the last segment.
        public let recognizedText: String
        /// The edited text; nil if it was not edited.
        public let editedText: String?
        /// The words of the recognised text, with their times and, in a session with speaker labels, their speakers.
        public let words: [Word]
        /// The language's code, if it was detected.
        public let language: String?
        /// The speaker of the whole segment, if set by hand; nil if not, in which case its words have the detected
        /// speakers.
        public let speaker: String?

        /// The text to show: the edited text, or else the recognised text.
        public var text: String { editedText ?? recognizedText }
    }
#endif
