#if Store
    public import Foundation

    /// A search result in the history.
    public struct SearchHit: Sendable, Hashable, Codable {
        /// A part of an excerpt.
        public struct Part: Sendable, Hashable, Codable {
            /// The text of the part.
            public let text: String
            /// Whether it matches the query.
            public let isMatch: Bool
        }

        /// The session.
        public let session: UUID
        /// The index of the first segment of the passage, which is an utterance or part of one.
        public let segment: Int
        /// The start of the passage in seconds from the start of the session.
        public let start: Double
        /// The words around the matches.
        public let excerpt: [Part]
    }
#endif
