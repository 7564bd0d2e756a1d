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
                        + "folder.", underlying: error)
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

    /// The lock of a session that is being recorded (flock(2)).
    final class SessionLock: Sendable {
        private let file: URL
        private let descriptor: OwnedDescriptor

        /// Takes the lock; nil if another process holds it.
        ///
        /// It blocks for up to a tenth of a second, because checking whether a session is being recorded takes its lock
        /// for a moment.
        /// - Parameter pause: Waits before the next attempt.
        init?(_ file: URL, pause: () -> Void = { _ = usleep(1000) }) throws {
            self.file = file
            var attempts = 0
            while true {
                let descriptor = try StoreFolder.opened(file)
                let isHeld = retrying { flock(descriptor.rawValue, LOCK_EX | LOCK_NB) } != 0
                if !isHeld, Self.isStill(descriptor.rawValue, at: file) {
                    self.descriptor = descriptor
                    return
                }
                descriptor.unlockAndClose()
                attempts += 1
                if isHeld, attempts > 100 { return nil }
                pause()
            }
        }

        deinit {
            // Removed while locked: a process that opened the file before finds it unlinked, and tries again.
            unlink(file.path)
            descriptor.unlockAndClose()
        }

        /// Whether the lock is held; changes nothing on disk.
        static func isHeld(_ file: URL) -> Bool {
            guard let descriptor = OwnedDescriptor.open(file.path, O_RDONLY) else { return false }
            defer { descriptor.unlockAndClose() }
            return retrying { flock(descriptor.rawValue, LOCK_SH | LOCK_NB) } != 0
        }

        /// Whether the path still leads to the open file, which may have been removed.
        private static func isStill(_ descriptor: Int32, at file: URL) -> Bool {
            var (own, named) = (stat(), stat())
            return fstat(descriptor, &own) == 0 && stat(file.path, &named) == 0 && own.st_ino == named.st_ino
                && own.st_dev == named.st_dev
        }
    }
#endif
