#if Store
    import Foundation
    import GRDB
    import Steno

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
            } catch { throw DatabaseFailure.explain(error, "The history \(files.database.path) cannot be opened") }
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

    /// The write-ahead log of a history, which contains deleted text until it is emptied.
    enum WriteAheadLog {
        /// Moves the log into the database and truncates it (`wal_checkpoint(TRUNCATE)`) without waiting.
        ///
        /// While SQLite waits for a reader to end, it blocks all writers. Writers in other programs, which give SQLite
        /// ten seconds, would then fail, so the caller waits between attempts (``LogWait``). A separate connection is
        /// used: the one that stores texts keeps its own timeout, and can be used meanwhile.
        ///
        /// It blocks during a flush.
        /// - Throws: `DatabaseError`: `SQLITE_BUSY` if another connection reads the log or writes.
        static func empty(_ file: URL) throws {
            let connection = try StoreConnection.openWithoutWaiting(file)
            try connection.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        }

        /// Whether an error of ``empty(_:)`` will pass when a reader or a writer ends.
        static func isBusy(_ error: any Error) -> Bool {
            let code = (error as? DatabaseError)?.resultCode.primaryResultCode
            return code == .SQLITE_BUSY || code == .SQLITE_LOCKED
        }
    }

    /// How long a deletion waits for readers of the log: ten seconds, unless a test changes it.
    struct LogWait: Sendable {
        var attempts = 500
        /// Waits before the next attempt: nothing reports the end of a reader in another program.
        var pause: @Sendable () async -> Void = { try? await Task.sleep(for: .milliseconds(20)) }
    }
#endif
