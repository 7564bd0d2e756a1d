import Foundation
import Steno

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
    ///   - pause: Waits before the next attempt.
    ///   - opened: Called after the receipt is opened and before it is locked, for tests.
    /// - Throws: `modelNotFound` if the model stays locked or is gone.
    init(
        _ folder: URL, name: String, pause: () -> Void = ModelLock.shortPause, opened: () -> Void = {}
    ) throws {
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
