#if Store
    import Foundation
    import GRDB

    /// The write-ahead log of a history, in which deleted text stays until the log is emptied.
    enum WriteAheadLog {
        /// Moves the log into the database and truncates it (`wal_checkpoint(TRUNCATE)`) without waiting.
        ///
        /// SQLite keeps all writers out while it waits for a reader to end. Those of other programs, which wait for ten
        /// seconds themselves, would fail then, so waiting is left to the caller (``LogWait``), between attempts. The
        /// connection is one of its own: that which stores texts keeps its own waiting time, and can be used meanwhile.
        ///
        /// It blocks, for a flush.
        /// - Throws: `DatabaseError`: `SQLITE_BUSY` if another connection reads the log or writes.
        static func empty(_ file: URL) throws {
            let connection = try StoreConnection.openWithoutWaiting(file)
            try connection.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        }

        /// Whether an error of ``empty(_:)`` ends with a reader or a writer.
        static func isBusy(_ error: any Error) -> Bool {
            let code = (error as? DatabaseError)?.resultCode.primaryResultCode
            return code == .SQLITE_BUSY || code == .SQLITE_LOCKED
        }
    }

    /// How long a deletion waits for those who read the log: ten seconds, unless a test wants otherwise.
    struct LogWait: Sendable {
        /// How often it is tried.
        var attempts = 500
        /// Waits before the next attempt: nothing reports the end of a reader in another program.
        var pause: @Sendable () async -> Void = { try? await Task.sleep(for: .milliseconds(20)) }
    }
#endif
