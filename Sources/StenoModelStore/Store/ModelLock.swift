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

/// Keeps a downloaded model from being removed or replaced: a shared lock on its receipt (flock(2)), which ends with the
/// process.
///
/// The receipt is only read, so that a model can be reserved in a folder that others own. Removing or replacing a model
/// holds the receipt's lock exclusively until it is done, so a reserved receipt is always the current one.
final class ModelReservation: Sendable {
    private let descriptor: OwnedDescriptor?

    /// Reserves a model; one without a receipt needs no lock, because Steno would never remove it.
    ///
    /// It blocks for a tenth of a second at most while the model is being removed or replaced.
    ///
    /// - Parameters:
    ///   - folder: The model's folder, or its file.
    ///   - opened: Called after the receipt is opened and before it is locked, for tests.
    /// - Throws: `modelNotFound` if the model stays locked or is gone.
    init(_ folder: URL, name: String, pause: () -> Void = ModelLock.shortPause, opened: () -> Void = {}) throws {
        descriptor = try Self.lock(folder, name, pause, opened)
    }

    private static func lock(
        _ folder: URL, _ name: String, _ pause: () -> Void, _ opened: () -> Void
    ) throws -> OwnedDescriptor? {
        let receipt = folder.appendingPathComponent(ModelReceipt.fileName)
        for _ in 0..<ModelLock.maximumAttempts {
            if let descriptor = OwnedDescriptor.open(receipt.path, O_RDONLY) {
                opened()
                // The receipt may have been replaced between the two calls.
                if retrying({ flock(descriptor.rawValue, LOCK_SH | LOCK_NB) }) == 0,
                    let identity = FileIdentity(receipt),
                    identity == FileIdentity(regularFile: descriptor.rawValue)
                {
                    return descriptor
                }
                descriptor.unlockAndClose()
            } else {
                let failure = SystemCallError(call: "open")
                guard failure.number == ENOENT || failure.number == ENOTDIR else {
                    throw StoreFailure.of(failure, at: receipt)
                }
                // A download puts the receipt there before the model, or both at once.
                if folder.isModel, !FileManager.default.fileExists(atPath: receipt.path) { return nil }
            }
            pause()
        }
        throw StenoError(
            .modelNotFound, "\(name) is being removed or replaced by another process. Try again when it has finished.")
    }

    deinit { descriptor?.unlockAndClose() }

    /// Prevents reserving the model in a folder until the returned lock is released.
    ///
    /// - Throws: `outputFailed` if a program has reserved it.
    static func block(_ folder: URL, name: String) throws -> ModelLock {
        guard let lock = try ModelLock.attempt(existing: folder.appendingPathComponent(ModelReceipt.fileName)) else {
            throw StenoError(.outputFailed, "\(name) is in use by a running program. Quit that program first.")
        }
        return lock
    }
}
