#if Store
    import GRDB

    /// The table of the full-text index (SQLite's FTS5): in the database of a history, or in one in memory.
    enum SearchTable {
        static func create(_ database: Database) throws {
            try database.create(virtualTable: "search", using: FTS5()) { table in
                table.tokenizer = .unicode61(diacritics: .remove)
                // Beginnings of two and three letters are looked up instead of collected.
                table.prefixes = [2, 3]
                table.column("text")
            }
        }
    }
#endif
