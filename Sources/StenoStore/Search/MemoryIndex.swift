#if Store
    import Foundation
    import GRDB
    import Steno

    /// The index of an encrypted history, which is nowhere but in memory.
    ///
    /// It is filled by the first search, and every later one adds text stored since, by any program. Editing or
    /// deleting text rebuilds it.
    final class MemoryIndex: Sendable {
        /// Reads the history.
        struct Source {
            /// The passages with segments that were stored after one.
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
            let changes =
                try Int64.fetchOne(database, sql: "SELECT value FROM setting WHERE name = 'changes'") ?? 0
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
#endif
