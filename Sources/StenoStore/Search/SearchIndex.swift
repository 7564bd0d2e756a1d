#if Store
    import Foundation
    import GRDB
    import Steno

    /// The full-text index of a history (SQLite's FTS5; words without case and accents), a row for each passage.
    ///
    /// Without encryption it is a table of the database, changed in the same transaction as the texts. With encryption
    /// it would give the texts away, so it is a database in memory then, which each search first brings up to date.
    final class SearchIndex: Sendable {
        /// The database in memory; nil without encryption.
        private let memory: MemoryIndex?

        init(isInMemory: Bool) throws { memory = isInMemory ? try MemoryIndex() : nil }

        // MARK: Changing, within a transaction of the history

        /// Stores the text of a passage and replaces its previous text.
        ///
        /// - Parameter text: Evaluated only when the index is in the database.
        func replace(_ passage: Int64, isNew: Bool, in database: Database, with text: () throws -> String) throws {
            guard memory == nil else { return }
            if !isNew { try Self.remove([passage], in: database) }
            try Self.add(passage, text(), in: database)
        }

        /// Removes passages; ``forget(in:)`` then has nothing of them stay in the index.
        func remove(_ passages: [Int64], in database: Database) throws {
            guard memory == nil else { return }
            try Self.remove(passages, in: database)
        }

        /// Rewrites the index without removed entries, which FTS5 only marks as removed.
        func forget(in database: Database) throws {
            guard memory == nil else { return }
            try database.execute(sql: "INSERT INTO search(search) VALUES ('optimize')")
        }

        /// Notes that stored text was changed or removed, for the indexes in memory of all programs.
        func noteChange(in database: Database) throws {
            guard memory != nil else { return }
            let sql = """
                INSERT INTO setting VALUES ('changes', 1) ON CONFLICT(name) DO UPDATE SET value = value + 1
                """
            try database.execute(sql: sql)
        }

        static func add(_ passage: Int64, _ text: String, in database: Database) throws {
            try database.cachedStatement(sql: "INSERT INTO search(rowid, text) VALUES (?, ?)")
                .execute(arguments: [passage, SearchText.divided(text)])
        }

        static func remove(_ passages: [Int64], in database: Database) throws {
            let statement = try database.cachedStatement(sql: "DELETE FROM search WHERE rowid = ?")
            for passage in passages { try statement.execute(arguments: [passage]) }
        }

        // MARK: Searching

        /// A passage that was found, and an excerpt in which matches stand between ``opening`` and ``closing``.
        struct Match: Sendable {
            let passage: Int64
            let excerpt: String
        }

        static let opening: Character = "\u{E000}"
        static let closing: Character = "\u{E001}"

        /// The best passages first (BM25).
        ///
        /// - Parameters:
        ///   - pattern: A pattern of ``SearchText/pattern(_:)``.
        ///   - source: Where an index in memory gets the texts from.
        func search(
            _ pattern: String, limit: Int, in database: Database, source: MemoryIndex.Source
        ) throws -> [Match] {
            guard let memory else { return try Self.matches(pattern, limit, database) }
            return try memory.search(pattern, limit, in: database, source)
        }

        static func matches(_ pattern: String, _ limit: Int, _ database: Database) throws -> [Match] {
            // If ordered only by rank, FTS5 sorts itself and makes excerpts only of returned rows.
            let statement = try database.cachedStatement(
                sql: """
                    SELECT rowid, snippet(search, 0, ?, ?, '…', 16) FROM search
                    WHERE search MATCH ? ORDER BY rank LIMIT ?
                    """)
            return try Row.fetchAll(statement, arguments: [String(opening), String(closing), pattern, limit])
                .map { Match(passage: $0[0], excerpt: SearchText.joined($0[1])) }
        }
    }
#endif
