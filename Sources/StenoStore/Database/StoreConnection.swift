#if Store
    import Foundation
    import GRDB
    import Steno

    /// Opens the database.
    enum StoreConnection {
        /// Opens the database of a folder, creates it if it does not exist, and migrates it to this version.
        ///
        /// It blocks: another program may be creating the same database.
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

        /// Opens another connection to an open database; it waits neither for readers nor for writers.
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
            // Another program may be writing for a few milliseconds.
            configuration.busyMode = .timeout(10)
            configuration.prepareDatabase { database in
                // Deleted data is overwritten with zeros, and nothing is written to temporary files.
                try database.execute(sql: "PRAGMA secure_delete = ON")
                try database.execute(sql: "PRAGMA temp_store = MEMORY")
            }
            return configuration
        }

        /// Flushes every transaction to disk before it is acknowledged.
        ///
        /// When it is opened, the pool sets `synchronous = NORMAL`, after the configuration's own statements. In WAL
        /// mode that survives `kill -9`, but a power failure could undo the last transactions. On Apple systems a flush
        /// reaches the disk itself only with `fullfsync`.
        private static func makeDurable(_ database: Database) throws {
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA fullfsync = ON")
            try database.execute(sql: "PRAGMA checkpoint_fullfsync = ON")
        }
    }
#endif
