#if Store
    import Foundation
    import GRDB

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
        /// The number of attempts.
        var attempts = 500
        /// Waits before the next attempt: nothing reports the end of a reader in another program.
        var pause: @Sendable () async -> Void = { try? await Task.sleep(for: .milliseconds(20)) }
    }
#endif
