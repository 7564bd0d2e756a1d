#if Store
    import Foundation
    import GRDB
    import Steno

    /// The tables of a history and their migrations: every version of the library opens the databases of earlier ones.
    ///
    /// Text and metadata are sealed values (``Sealer``), so the tables are the same with and without encryption. Times
    /// are seconds: those of sessions since 1970, those of segments since the start of the session.
    ///
    /// A session is stored as `recording` or `finished`. A `recording` session whose lock is not held was interrupted:
    /// no write is needed, so that even a full disk does not hide it.
    enum Schema {
        /// Migrates a database to this version.
        ///
        /// - Throws: `StenoError.historyUnsupported` if a newer version created it.
        static func migrate(_ pool: DatabasePool) throws {
            guard try !pool.read(migrator.hasBeenSuperseded) else {
                throw StenoError(
                    .historyUnsupported,
                    "The history was written by a newer version of Steno, in a format that this version cannot read. "
                        + "Update Steno.")
            }
            try migrator.migrate(pool)
        }

        private static var migrator: DatabaseMigrator {
            var migrator = DatabaseMigrator()
            migrator.registerMigration("1") { database in
                try createSettings(database)
                try createSessions(database)
                try createSegments(database)
                try SearchTable.create(database)
            }
            return migrator
        }

        private static func createSettings(_ database: Database) throws {
            try database.create(table: "setting") { table in
                table.primaryKey("name", .text)
                table.column("value", .blob).notNull()
            }
        }

        private static func createSessions(_ database: Database) throws {
            try database.create(table: "session") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("uuid", .text).notNull().unique()
                table.column("state", .text).notNull()
                table.column("started", .double).notNull().indexed()
                table.column("ended", .double)
                table.column("duration", .double).notNull()
                table.column("segments", .integer).notNull()
                table.column("language", .text)
                table.column("model", .text)
                table.column("content", .blob).notNull()
                table.column("partial", .blob)
            }
            // The parts of a session's audio: continuing a session begins a new one.
            try database.create(table: "recording") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("session_id", .integer).notNull().references("session", onDelete: .cascade)
                table.column("number", .integer).notNull()
                table.column("start", .double).notNull()
                table.uniqueKey(["session_id", "number"])
            }
        }

        private static func createSegments(_ database: Database) throws {
            // Successive segments that are searched as one text, since the words of a phrase arrive in several
            // segments.
            try database.create(table: "passage") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("session_id", .integer).notNull().indexed().references("session", onDelete: .cascade)
            }
            try database.create(table: "segment") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("session_id", .integer).notNull().references("session", onDelete: .cascade)
                table.column("passage_id", .integer).notNull().indexed().references("passage", onDelete: .cascade)
                table.column("number", .integer).notNull()
                table.column("utterance", .integer).notNull()
                table.column("start", .double).notNull()
                table.column("end", .double).notNull()
                table.column("content", .blob).notNull()
                table.uniqueKey(["session_id", "number"])
            }
        }
    }

    /// The full-text index (SQLite's FTS5), in the database of a history or in one in memory.
    enum SearchTable {
        static func create(_ database: Database) throws {
            try database.create(virtualTable: "search", using: FTS5()) { table in
                table.tokenizer = .unicode61(diacritics: .remove)
                // Prefixes of two and three letters are indexed, so they need no scan.
                table.prefixes = [2, 3]
                table.column("text")
            }
        }
    }
#endif
