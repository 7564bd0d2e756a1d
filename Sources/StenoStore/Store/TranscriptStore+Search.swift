#if Store
    public import Foundation
    import GRDB
    import Steno

    extension TranscriptStore {
        /// Finds the utterances with all words of a query, ignoring case and accents, best match first.
        ///
        /// The last letters of a word may be missing (`transcri` finds “transcript”); words in quotation marks must be
        /// next to each other. In Chinese, Japanese and Thai, any part of a sentence matches. For edited segments, the
        /// edited text is searched. The first search of an encrypted history reads all of it.
        ///
        /// - Parameter limit: The maximum number of results.
        /// - Throws: `StenoError.historyDamaged` if the database is damaged.
        public func search(_ query: String, limit: Int = 50) async throws -> [SearchHit] {
            guard let pattern = SearchText.pattern(query) else { return [] }
            return try await read { [self] database in
                let source = MemoryIndex.Source(
                    passages: { try Self.passages(after: $0, in: database) },
                    text: { try self.text(of: $0, skippingDamaged: true, in: database) })
                return try index.search(pattern, limit: limit, in: database, source: source)
                    .compactMap { try Self.hit($0, in: database) }
            }
        }

        /// The place of a match: the passage's first segment with a readable number and time; nil if there is none.
        private static func hit(_ match: SearchIndex.Match, in database: Database) throws -> SearchHit? {
            let statement = try database.cachedStatement(
                sql: """
                    SELECT session.uuid, segment.number, segment.start FROM segment
                    JOIN session ON session.id = segment.session_id
                    WHERE segment.passage_id = ? ORDER BY segment.id
                    """)
            let rows = try Row.fetchCursor(statement, arguments: [match.passage])
            while let row = try rows.next() {
                let uuid: String? = row.readable("uuid")
                guard let session = uuid.flatMap(UUID.init(uuidString:)), let number: Int = row.readable("number"),
                    let start = Plausible.time(row.readable("start"))
                else { continue }
                return SearchHit(session: session, segment: number, start: start, excerpt: parts(match.excerpt))
            }
            return nil
        }

        private static func passages(after segment: Int64, in database: Database) throws -> [Int64] {
            try Int64.fetchAll(
                database, sql: "SELECT DISTINCT passage_id FROM segment WHERE id > ? ORDER BY id", arguments: [segment])
        }

        /// The text of a passage, with its edits.
        ///
        /// - Parameter skippingDamaged: Whether to skip damaged texts, which are reported when read, so that a search
        ///   finds the others.
        func text(of passage: Int64, skippingDamaged: Bool = false, in database: Database) throws -> String {
            let statement = try database.cachedStatement(
                sql: """
                    SELECT segment.number, segment.content, session.uuid FROM segment
                    JOIN session ON session.id = segment.session_id WHERE segment.passage_id = ? ORDER BY segment.id
                    """)
            var text = ""
            let rows = try Row.fetchCursor(statement, arguments: [passage])
            while let row = try rows.next() {
                do {
                    guard let number: Int = row.readable("number"), let content: Data = row.readable("content"),
                        let session: String = row.readable("uuid")
                    else { throw SegmentRow.damaged(nil) }
                    text += try sealer.open(
                        content, as: SegmentContent.self, at: SegmentRow.place(session, number)
                    ).shown
                } catch {
                    guard skippingDamaged else { throw error }
                }
            }
            return text
        }

        private static func parts(_ excerpt: String) -> [SearchHit.Part] {
            var parts: [SearchHit.Part] = []
            var isMatch = false
            for piece in excerpt.split(
                omittingEmptySubsequences: false,
                whereSeparator: { [SearchIndex.opening, SearchIndex.closing].contains($0) })
            {
                if !piece.isEmpty { parts.append(SearchHit.Part(text: String(piece), isMatch: isMatch)) }
                isMatch.toggle()
            }
            return parts
        }
    }

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
