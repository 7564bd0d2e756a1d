#if Store
    import Steno
    import GRDB
    public import StenoCore

    extension StenoError.Code {
        /// The key is wrong, or an encrypted history was opened without one.
        public static let wrongKey = StenoError.Code("wrongKey")
        /// The database, a text or a recording is damaged.
        public static let historyDamaged = StenoError.Code("historyDamaged")
        /// The history was written by a newer version of Steno.
        public static let historyUnsupported = StenoError.Code("historyUnsupported")
        /// The history has no such session.
        public static let sessionNotFound = StenoError.Code("sessionNotFound")
        /// Another program is recording the session.
        public static let sessionInUse = StenoError.Code("sessionInUse")
    }

    /// Turns errors of the database into errors that say what to do.
    enum DatabaseFailure {
        /// The advice for a full disk, unless something else helps sooner.
        static let room = "Free some space on it."

        /// - Parameters:
        ///   - what: The action that failed, as the beginning of a sentence.
        ///   - advice: The advice for a full disk.
        static func explain(_ error: any Error, _ what: String, advice: String = DatabaseFailure.room) -> any Error {
            guard let error = error as? DatabaseError else { return error }
            switch error.resultCode.primaryResultCode {
            case .SQLITE_FULL:
                return StenoError(.outputFailed, "\(what): the disk is full. \(advice)", underlying: error)
            case .SQLITE_IOERR:
                // Exceeding the file size limit or a quota is reported this way.
                return StenoError(
                    .outputFailed, "\(what): the disk reports an error. Check that it is connected and has free space.",
                    underlying: error)
            case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
                return StenoError(
                    .outputFailed, "\(what): its folder cannot be written. Check the permissions.", underlying: error)
            case .SQLITE_CORRUPT, .SQLITE_NOTADB:
                return StenoError(
                    .historyDamaged,
                    "\(what): the database is damaged. Move its folder away to start a new history; `sqlite3 … "
                        + ".recover` may save the rest.", underlying: error)
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                return StenoError(.outputFailed, "\(what): another program is using it. Try again.", underlying: error)
            default: return StenoError(.outputFailed, "\(what): \(error.message ?? "\(error)").", underlying: error)
            }
        }

        /// Explains why the log still contains deleted data.
        static func explainLog(_ error: any Error) -> any Error {
            let what = "It is deleted, but the history's log still contains it"
            guard WriteAheadLog.isBusy(error) else { return explain(error, what) }
            return StenoError(
                .outputFailed,
                "\(what), since another program reads the history. The next deletion empties the log, as does the last "
                    + "program that closes the history.", underlying: error)
        }
    }
#endif
