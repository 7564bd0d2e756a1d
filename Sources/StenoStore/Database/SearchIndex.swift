#if Store
    import Foundation
    import GRDB
    import Steno

    /// The full-text index of a history (SQLite's FTS5, ignoring case and accents), with a row for each passage.
    ///
    /// Without encryption it is a table of the database, changed in the same transaction as the texts. With encryption
    /// such a table would reveal the texts, so the index is a database in memory, which each search first brings up to
    /// date.
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

        /// Removes passages; ``forget(in:)`` then erases their remains from the index.
        func remove(_ passages: [Int64], in database: Database) throws {
            guard memory == nil else { return }
            try Self.remove(passages, in: database)
        }

        /// Rewrites the index without removed entries, which FTS5 only marks as removed.
        func forget(in database: Database) throws {
            guard memory == nil else { return }
            try database.execute(sql: "INSERT INTO search(search) VALUES ('optimize')")
        }

        /// Records that stored text was changed or removed, for the in-memory indexes of all programs.
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

        /// A passage that was found, and an excerpt with its matches between ``opening`` and ``closing``.
        struct Match: Sendable {
            let passage: Int64
            let excerpt: String
        }

        static let opening: Character = "\u{E000}"
        static let closing: Character = "\u{E001}"

        /// The matching passages, best first (BM25).
        ///
        /// - Parameters:
        ///   - pattern: A pattern of ``SearchText/pattern(_:)``.
        ///   - source: The source of texts for an in-memory index.
        func search(
            _ pattern: String, limit: Int, in database: Database, source: MemoryIndex.Source
        ) throws -> [Match] {
            guard let memory else { return try Self.matches(pattern, limit, database) }
            return try memory.search(pattern, limit, in: database, source)
        }

        static func matches(_ pattern: String, _ limit: Int, _ database: Database) throws -> [Match] {
            // When ordering by rank only, FTS5 sorts by itself and makes excerpts only of the returned rows.
            let statement = try database.cachedStatement(
                sql: """
                    SELECT rowid, snippet(search, 0, ?, ?, '…', 16) AS excerpt FROM search
                    WHERE search MATCH ? ORDER BY rank LIMIT ?
                    """)
            return try Row.fetchAll(statement, arguments: [String(opening), String(closing), pattern, limit])
                .compactMap { row in
                    guard let passage: Int64 = row.readable("rowid"), let excerpt: String = row.readable("excerpt")
                    else { return nil }
                    return Match(passage: passage, excerpt: SearchText.joined(excerpt))
                }
        }
    }

    /// The index of an encrypted history, which exists only in memory.
    ///
    /// The first search fills it, and every later one adds text stored since by any program. Editing or deleting text
    /// rebuilds it.
    final class MemoryIndex: Sendable {
        struct Source {
            /// The passages with segments stored after a given one.
            let passages: (_ after: Int64) throws -> [Int64]
            /// The text of a passage, without damaged parts.
            let text: (_ passage: Int64) throws -> String
        }

        private let queue: DatabaseQueue

        init() throws {
            queue = try StoreConnection.openInMemory()
            try queue.write { index in
                try SearchTable.create(index)
                // The state of the index: the last segment, and the number of changes before it was filled.
                try index.execute(
                    sql: "CREATE TABLE state (segment INTEGER, changes INTEGER); INSERT INTO state VALUES (0, 0)")
            }
        }

        func search(_ pattern: String, _ limit: Int, in database: Database, _ source: Source) throws -> [SearchIndex
            .Match]
        {
            try queue.write { index in
                try update(index, from: database, source)
                return try SearchIndex.matches(pattern, limit, index)
            }
        }

        private func update(_ index: Database, from database: Database, _ source: Source) throws {
            let changes = try Int64.fetchOne(database, sql: "SELECT value FROM setting WHERE name = 'changes'") ?? 0
            let last = try Int64.fetchOne(database, sql: "SELECT MAX(id) FROM segment") ?? 0
            guard let known = try Row.fetchOne(index, sql: "SELECT segment, changes FROM state") else { return }
            let isCurrent = known["changes"] == changes
            let first: Int64 = isCurrent ? known["segment"] : 0
            guard last > first || !isCurrent else { return }
            if !isCurrent { try index.execute(sql: "DELETE FROM search") }
            for passage in try source.passages(first) {
                try SearchIndex.remove([passage], in: index)
                try SearchIndex.add(passage, source.text(passage), in: index)
            }
            try index.execute(sql: "UPDATE state SET segment = ?, changes = ?", arguments: [last, changes])
        }
    }

    enum SearchText {
        /// Separates characters of scripts without spaces; the tokenizer treats it as the end of a word, and it is
        /// invisible.
        private static let divider: Character = "\u{200B}"

        /// A text in which every character of Chinese, Japanese, Thai and other scripts without spaces is a separate
        /// word, so that any part of a sentence can be found.
        static func divided(_ text: String) -> String {
            guard text.unicodeScalars.contains(where: UnspacedScript.contains) else { return text }
            var result = ""
            for character in text {
                let isUnspaced = character.unicodeScalars.contains(where: UnspacedScript.contains)
                result += isUnspaced ? "\(divider)\(character)\(divider)" : String(character)
            }
            return result
        }

        static func joined(_ text: String) -> String { text.filter { $0 != divider } }

        /// The query in FTS5's syntax: all words, as prefixes, and all phrases in quotation marks; nil if it contains
        /// no word.
        static func pattern(_ query: String) -> String? {
            var terms: [String] = []
            for (index, part) in query.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
                let isPhrase = index % 2 == 1
                let words = isPhrase ? [part] : part.split(whereSeparator: \.isWhitespace)
                for word in words where word.contains(where: { $0.isLetter || $0.isNumber }) {
                    terms.append("\"\(divided(String(word)))\"" + (isPhrase ? "" : "*"))
                }
            }
            return terms.isEmpty ? nil : terms.joined(separator: " AND ")
        }
    }
#endif
