import Foundation
import Steno

/// Keeps a downloaded model from being removed: a shared lock on its receipt (flock(2)), which ends with the process.
final class ModelReservation: Sendable {
    private let descriptor: OwnedDescriptor?

    /// A model that is not ours needs no lock: nothing of ours would remove it.
    init(_ store: ModelStore, _ name: String) throws {
        guard let receipt = store.model(name)?.folder.appendingPathComponent(ModelReceipt.fileName) else {
            descriptor = nil
            return
        }
        let number = retrying { open(receipt.path, O_RDONLY | O_CLOEXEC) }
        guard number >= 0 else { throw StoreFailure.of(SystemCallError(call: "open"), at: receipt) }
        let descriptor = OwnedDescriptor(number)
        guard retrying({ flock(number, LOCK_SH | LOCK_NB) }) == 0 else {
            throw StenoError(.modelNotFound, "\(name) is being removed by another process.")
        }
        self.descriptor = descriptor
    }

    deinit { descriptor?.unlockAndClose() }

    /// Whether somebody has reserved the model in a folder.
    static func isHeld(_ folder: URL) -> Bool { ModelLock.isHeld(folder.appendingPathComponent(ModelReceipt.fileName)) }
}
