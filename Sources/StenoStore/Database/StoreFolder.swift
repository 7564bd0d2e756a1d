#if Store
    import Foundation
    import Steno

    /// The folder of a history: `history.sqlite`, `audio/` and `locks/`.
    ///
    /// New files and folders are for their owner only; the permissions of an existing folder stay unchanged.
    struct StoreFolder: Sendable {
        let url: URL

        var database: URL { Self.database(in: url) }
        var audio: URL { url.appendingPathComponent("audio") }
        private var locks: URL { url.appendingPathComponent("locks") }

        static func database(in folder: URL) -> URL { folder.appendingPathComponent("history.sqlite") }

        /// The user's own history: the folder in `STENO_HISTORY`, or else in Application Support on Apple systems, or
        /// the XDG data folder on Linux.
        static func standard(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
            environment.path("STENO_HISTORY") ?? UserFolders(environment).data.ofSteno("History")
        }

        /// Creates the folder if it does not exist.
        init(_ url: URL) throws {
            self.url = url
            do {
                let isNew = !url.isFolder
                for folder in [url, audio, locks] {
                    try FileManager.default.createDirectory(
                        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                }
                if isNew { try? url.deletingLastPathComponent().synchronize() }
            } catch {
                throw StenoError(
                    .outputFailed,
                    "The history folder \(url.path) cannot be created: \(error.localizedDescription) Choose another "
                        + "folder.",
                    underlying: error)
            }
        }

        /// Creates the database's file for its owner only; SQLite gives its log the same permissions.
        ///
        /// - Throws: `StenoError`: `outputFailed`; `historyDamaged` if there is an empty one that no process is
        ///   creating.
        func createDatabase() throws {
            var status = stat()
            if stat(database.path, &status) != 0 {
                // A program killed before the database has tables leaves an empty one; this file then still exists.
                try Self.opened(beginning).close()
            } else if status.st_size == 0, !FileManager.default.fileExists(atPath: beginning.path) {
                throw StenoError(
                    .historyDamaged,
                    "The history \(database.path) is empty, perhaps after a failed copy. Restore it from a backup, or "
                        + "move its folder away to start a new history.")
            }
            try Self.opened(database).close()
        }

        /// Records that the database has its tables.
        func finishDatabase() { unlink(beginning.path) }

        /// A file that exists until a new database has its tables.
        private var beginning: URL { locks.appendingPathComponent("beginning") }

        /// The file for a part of a session's audio.
        ///
        /// - Parameter number: Counted from 1.
        func audio(of session: UUID, part number: Int, isSealed: Bool) -> URL {
            audio.appendingPathComponent("\(session.uuidString)-\(number).\(isSealed ? "sealed" : "wav")")
        }

        /// Prevents other programs from opening the history until the descriptor is unlocked; waits for them.
        func lockOpening() throws -> OwnedDescriptor {
            let file = locks.appendingPathComponent("opening")
            let descriptor = try Self.opened(file)
            guard retrying({ flock(descriptor.rawValue, LOCK_EX) }) == 0 else {
                throw Self.cannotWrite(file, SystemCallError(call: "flock"))
            }
            return descriptor
        }

        /// Marks a session as being recorded while the lock is held: the system releases it when the process ends,
        /// however it ends.
        ///
        /// - Returns: nil if another writer holds it.
        func lock(_ session: UUID) throws -> SessionLock? { try SessionLock(lockFile(session)) }

        /// Whether a session is being recorded, by this program or another one.
        func isLocked(_ session: UUID) -> Bool { SessionLock.isHeld(lockFile(session)) }

        private func lockFile(_ session: UUID) -> URL { locks.appendingPathComponent(session.uuidString) }

        /// Opens a file for reading and writing; a new one is created for its owner only.
        ///
        /// - Throws: `StenoError.outputFailed`.
        static func opened(_ file: URL) throws -> OwnedDescriptor {
            guard let opened = OwnedDescriptor.open(file.path, O_RDWR | O_CREAT, mode: 0o600) else {
                throw cannotWrite(file, SystemCallError(call: "open"))
            }
            return opened
        }

        static func cannotWrite(_ file: URL, _ error: any Error) -> StenoError {
            StenoError(.outputFailed, "\(file.path) cannot be written: \(error).", underlying: error)
        }
    }
#endif
