import Foundation
import GRDB

/// The tables of a history, and how they came about: every version of the library opens the databases of those before.
///
/// Texts are sealed values (``Sealer``), so the tables are the same with and without encryption. Times are seconds: those
/// of sessions since 1970, those of segments since the start of the session.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: sessions, segments, search") { database in
            try database.create(table: "setting") { table in
                table.primaryKey("name", .text)
                table.column("value", .blob).notNull()
            }
            try database.create(table: "session") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("uuid", .text).notNull().unique()
                table.column("state", .text).notNull()
                table.column("started", .double).notNull().indexed()
                table.column("ended", .double)
                table.column("duration", .double).notNull().defaults(to: 0)
                table.column("language", .text)
                table.column("model", .text)
                table.column("content", .blob).notNull()
                table.column("partial", .blob)
            }
            try database.create(table: "segment") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("session_id", .integer).notNull().references("session", onDelete: .cascade)
                table.column("number", .integer).notNull()
                table.column("utterance", .integer).notNull()
                table.column("start", .double).notNull()
                table.column("end", .double).notNull()
                table.column("content", .blob).notNull()
                table.uniqueKey(["session_id", "number"])
            }
            try SearchIndex.create(database)
        }
        return migrator
    }
}
