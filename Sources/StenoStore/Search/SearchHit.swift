public import Foundation
import GRDB
import Steno

/// A place in the history that a search has found.
public struct SearchHit: Sendable, Hashable, Codable {
    /// A part of an excerpt.
    public struct Part: Sendable, Hashable, Codable {
        /// The text of the part.
        public let text: String
        /// Whether it is what was searched for.
        public let isMatch: Bool
    }

    /// The session.
    public let session: UUID
    /// The index of the segment in the session.
    public let segment: Int
    /// The start of the segment in seconds.
    public let start: Double
    /// The words around the matches.
    public let excerpt: [Part]
}

extension TranscriptStore {
    /// Finds the segments that have all words of a query, in any case and with or without accents; the best first.
    ///
    /// The last letters of a word may be missing (`transcri` finds “transcript”). Edited texts are searched as they were
    /// edited. The first search of an encrypted history reads all of it.
    public func search(_ query: String, limit: Int = 50) async throws -> [SearchHit] {
        try await read { [self] database in
            let found = try index.search(query, limit: limit, in: database) { try texts(in: database) }
            return try found.compactMap { match in
                guard
                    let row = try Row.fetchOne(
                        database,
                        sql: """
                            SELECT session.uuid, segment.number, segment.start FROM segment
                            JOIN session ON session.id = segment.session_id WHERE segment.id = ?
                            """,
                        arguments: [match.row]),
                    let id = UUID(uuidString: row["uuid"])
                else { return nil }
                return SearchHit(
                    session: id, segment: row["number"], start: row["start"], excerpt: Self.parts(match.excerpt))
            }
        }
    }

    /// All texts, for an index in memory.
    private func texts(in database: Database) throws -> [(row: Int64, text: String)] {
        let cursor = try Row.fetchCursor(
            database,
            sql: """
                SELECT segment.id, segment.number, segment.content, session.uuid FROM segment
                JOIN session ON session.id = segment.session_id
                """)
        var texts: [(Int64, String)] = []
        while let row = try cursor.next() {
            guard let id = UUID(uuidString: row["uuid"]) else { continue }
            let place = SegmentRow.place(id, row["number"])
            // A damaged text is reported when it is read; the others can be found.
            guard let content = try? sealer.open(row["content"], as: SegmentContent.self, at: place) else { continue }
            texts.append((row["id"], content.shown))
        }
        return texts
    }

    private static func parts(_ excerpt: String) -> [SearchHit.Part] {
        var parts: [SearchHit.Part] = []
        var isMatch = false
        for piece in excerpt.split(
            omittingEmptySubsequences: false, whereSeparator: { [SearchIndex.opening, SearchIndex.closing].contains($0) })
        {
            if !piece.isEmpty { parts.append(SearchHit.Part(text: String(piece), isMatch: isMatch)) }
            isMatch.toggle()
        }
        return parts
    }
}
