#if Store
    import Foundation
    import GRDB
    import Steno

    /// How the database is opened.
    enum StoreConnection {
        /// Opens the database of a folder, which is made if it does not exist, in the form of this version.
        ///
        /// It blocks: another program may be making the same database.
        static func open(_ files: StoreFolder) throws -> DatabasePool {
            do {
                let lock = try files.lockOpening()
                defer { lock.unlockAndClose() }
                try files.createDatabase()
                let pool = try DatabasePool(path: files.database.path, configuration: configuration)
                try pool.writeWithoutTransaction(makeDurable)
                try Schema.migrate(pool)
                files.finishDatabase()
                return pool
            } catch {
                throw DatabaseFailure.explain(error, "The history \(files.database.path) cannot be opened")
            }
        }

        static func openInMemory() throws -> DatabaseQueue { try DatabaseQueue(configuration: configuration) }

        /// Opens a further connection to a database that is open; it waits neither for readers nor for writers.
        static func openWithoutWaiting(_ file: URL) throws -> DatabaseQueue {
            var configuration = configuration
            configuration.busyMode = .immediateError
            let queue = try DatabaseQueue(path: file.path, configuration: configuration)
            try queue.writeWithoutTransaction(makeDurable)
            return queue
        }

        private static var configuration: Configuration {
            var configuration = Configuration()
            configuration.label = "steno.history"
            // Another program may be writing, for some milliseconds.
            configuration.busyMode = .timeout(10)
            configuration.prepareDatabase { database in
                // Deleted data is overwritten with zeros, and nothing is written to temporary files.
                try database.execute(sql: "PRAGMA secure_delete = ON")
                try database.execute(sql: "PRAGMA temp_store = MEMORY")
            }
            return configuration
        }

        /// Has every transaction flushed to the disk before it is acknowledged.
        ///
        /// The pool sets `synchronous = NORMAL` when it is opened, after the configuration's own statements: in WAL
        /// mode that survives `kill -9`, but a power failure could take the last transactions back. On Apple systems a
        /// flush reaches the disk itself only with `fullfsync`.
        private static func makeDurable(_ database: Database) throws {
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA fullfsync = ON")
            try database.execute(sql: "PRAGMA checkpoint_fullfsync = ON")
        }
    }
#endif
