import Foundation
import GRDB
import Steno

/// The full-text index of a history (SQLite's FTS5; words without case and accents).
///
/// Without encryption it is a table of the database, changed in the same transaction as the texts. With encryption it
/// would tell what the texts say, so it is a database in memory then, filled when the first search needs it.
final class SearchIndex: Sendable {
    private static let table = "search"

    /// The database in memory; nil without encryption.
    private let memory: DatabaseQueue?
    private let isFilled = Flag()

    init(isInMemory: Bool) {
        memory = isInMemory ? try? DatabaseQueue() : nil
        try? memory?.write { try Self.create($0) }
    }

    static func create(_ database: Database) throws {
        try database.create(virtualTable: table, using: FTS5()) { table in
            table.tokenizer = .unicode61(diacritics: .remove)
            table.column("text")
        }
    }

    // MARK: Changing, within a transaction of the history

    func add(_ id: Int64, _ text: String, in database: Database) throws {
        guard let memory else { return try Self.add(id, text, database) }
        guard isFilled.value else { return }
        try memory.write { try Self.add(id, text, $0) }
    }

    func replace(_ id: Int64, with text: String, in database: Database) throws {
        try remove([id], in: database)
        try add(id, text, in: database)
    }

    func remove(_ ids: [Int64], in database: Database) throws {
        guard let memory else { return try Self.remove(ids, database) }
        try memory.write { try Self.remove(ids, $0) }
    }

    /// Rewrites the index without what was removed: until then FTS5 only marks it as removed.
    func forgetRemoved(in database: Database) throws {
        guard memory == nil else { return }
        try database.execute(sql: "INSERT INTO search(search) VALUES ('optimize')")
    }

    private static func add(_ id: Int64, _ text: String, _ database: Database) throws {
        try database.execute(sql: "INSERT INTO search(rowid, text) VALUES (?, ?)", arguments: [id, text])
    }

    private static func remove(_ ids: [Int64], _ database: Database) throws {
        for id in ids { try database.execute(sql: "DELETE FROM search WHERE rowid = ?", arguments: [id]) }
    }

    // MARK: Searching

    /// A segment that was found: its row, and an excerpt in which matches stand between ``opening`` and ``closing``.
    struct Match: Sendable {
        let row: Int64
        let excerpt: String
    }

    static let opening: Character = "\u{E000}"
    static let closing: Character = "\u{E001}"

    /// The segments with all words of the query, or words that begin like them; the best first.
    ///
    /// - Parameter texts: All texts of the history, for an index that is filled first.
    func search(
        _ query: String, limit: Int, in database: Database, texts: () throws -> [(row: Int64, text: String)]
    ) throws -> [Match] {
        guard let pattern = FTS5Pattern(matchingAllPrefixesIn: query) else { return [] }
        guard let memory else { return try Self.matches(pattern, limit, database) }
        if !isFilled.value {
            let all = try texts()
            try memory.write { memory in for (row, text) in all { try Self.add(row, text, memory) } }
            isFilled.set()
        }
        return try memory.read { try Self.matches(pattern, limit, $0) }
    }

    private static func matches(_ pattern: FTS5Pattern, _ limit: Int, _ database: Database) throws -> [Match] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT rowid, snippet(search, 0, ?, ?, '…', 16) AS excerpt FROM search
                WHERE search MATCH ? ORDER BY rank, rowid DESC LIMIT ?
                """,
            arguments: [String(opening), String(closing), pattern, limit])
        return rows.map { Match(row: $0["rowid"], excerpt: $0["excerpt"]) }
    }
}
