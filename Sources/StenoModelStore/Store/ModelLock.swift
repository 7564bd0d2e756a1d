import Foundation
import Steno

/// Prevents two processes from downloading or removing a model at the same time (flock(2)).
///
/// The system releases it when the process ends, however it ends. The file stays: if it were removed, two processes
/// could each hold a lock, on two files of the same name.
final class ModelLock: Sendable {
    private let descriptor: OwnedDescriptor

    private init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

    /// The number of attempts to take a lock that may be held briefly.
    static let maximumAttempts = 100

    /// The wait between two of these attempts, a tenth of a second in all.
    static let shortPause: @Sendable () -> Void = { _ = usleep(1000) }

    /// Takes the lock; nil if another holder has it.
    ///
    /// - Throws: `outputFailed` if the file cannot be created.
    static func attempt(_ file: URL) throws -> ModelLock? {
        let folder = file.deletingLastPathComponent()
        try StoreFailure.explaining(folder) {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        return try lock(OwnedDescriptor.open(file.path, O_RDWR | O_CREAT, mode: 0o666), of: file)
    }

    /// Takes the lock, waiting briefly if necessary, because checking whether it is held shares it for a moment.
    ///
    /// - Parameter pause: Waits before the next attempt.
    static func attempt(_ file: URL, pause: () -> Void) throws -> ModelLock? {
        for _ in 1..<maximumAttempts {
            if let lock = try attempt(file) { return lock }
            pause()
        }
        return try attempt(file)
    }

    /// Takes the lock of an existing file, which need not be writable; nil if another holder has it.
    static func attempt(existing file: URL) throws -> ModelLock? {
        if let writable = OwnedDescriptor.open(file.path, O_RDWR) { return try lock(writable, of: file) }
        let failure = SystemCallError(call: "open")
        guard [EACCES, EPERM, EROFS].contains(failure.number) else { throw StoreFailure.of(failure, at: file) }
        // Only some network disks require a writable file for this.
        return try lock(OwnedDescriptor.open(file.path, O_RDONLY), of: file)
    }

    private static func lock(_ descriptor: OwnedDescriptor?, of file: URL) throws -> ModelLock? {
        guard let descriptor else { throw StoreFailure.of(SystemCallError(call: "open"), at: file) }
        guard retrying({ flock(descriptor.rawValue, LOCK_EX | LOCK_NB) }) == 0 else {
            let failure = SystemCallError(call: "flock")
            guard failure.number == EWOULDBLOCK else { throw StoreFailure.of(failure, at: file) }
            return nil
        }
        return ModelLock(descriptor)
    }

    /// Whether the lock is held; changes nothing on disk.
    ///
    /// It takes a shared lock for a moment, so that others checking at the same time are not mistaken for a holder.
    static func isHeld(_ file: URL) -> Bool {
        guard let descriptor = OwnedDescriptor.open(file.path, O_RDONLY) else { return false }
        defer { descriptor.unlockAndClose() }
        return retrying({ flock(descriptor.rawValue, LOCK_SH | LOCK_NB) }) != 0 && errno == EWOULDBLOCK
    }

    deinit { release() }

    /// Releases the lock, as deallocation does.
    func release() { descriptor.unlockAndClose() }
}
