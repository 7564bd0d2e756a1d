#if Store
    import Foundation
    import Steno

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
