import Foundation
import Steno

/// Keeps two processes from downloading or removing one model at the same time (flock(2)).
///
/// The system releases it when the process ends, in whatever way. The file stays: removing it could leave two processes
/// with a lock each, on two files of the same name.
final class ModelLock: Sendable {
    private let descriptor: OwnedDescriptor

    private init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

    /// Takes the lock; nil when another holder has it.
    ///
    /// - Throws: `outputFailed` when the file cannot be created.
    static func attempt(_ file: URL) throws -> ModelLock? {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw StoreFailure.cannotWrite(file.deletingLastPathComponent(), error.localizedDescription)
        }
        let number = retrying { open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666) }
        guard number >= 0 else { throw StoreFailure.cannotWrite(file, "\(SystemCallError(call: "open"))") }
        let descriptor = OwnedDescriptor(number)
        guard retrying({ flock(number, LOCK_EX | LOCK_NB) }) == 0 else {
            let failure = SystemCallError(call: "flock")
            guard failure.number == EWOULDBLOCK else { throw StoreFailure.cannotWrite(file, "\(failure)") }
            return nil
        }
        return ModelLock(descriptor)
    }

    /// Whether somebody holds the lock; changes nothing on disk.
    static func isHeld(_ file: URL) -> Bool {
        let number = retrying { open(file.path, O_RDWR | O_CLOEXEC) }
        guard number >= 0 else { return false }
        let descriptor = OwnedDescriptor(number)
        defer { descriptor.unlockAndClose() }
        return retrying({ flock(number, LOCK_EX | LOCK_NB) }) != 0 && errno == EWOULDBLOCK
    }

    deinit { release() }

    /// Lets go; so does the end of the object.
    func release() { descriptor.unlockAndClose() }
}

/// What goes wrong on the disk.
enum StoreFailure {
    static func cannotWrite(_ place: URL, _ reason: String) -> StenoError {
        StenoError(.outputFailed, "\(place.path) cannot be written: \(reason).")
    }

    static func full(_ place: URL) -> StenoError {
        StenoError(
            .diskFull,
            "The disk of \(place.path) is full. What has been downloaded stays: make room, and the same command continues. "
                + "STENO_MODELS=/other/disk/models keeps models elsewhere.")
    }

    /// The error for a system call about a file.
    static func of(_ error: SystemCallError, at place: URL) -> StenoError {
        [ENOSPC, EDQUOT].contains(error.number) ? full(place) : cannotWrite(place, "\(error)")
    }
}
