import Foundation
import Steno

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The folder of a history: `history.sqlite`, `audio/` and `locks/`, which only its owner can enter.
struct StoreFolder: Sendable {
    let url: URL

    var database: URL { url.appendingPathComponent("history.sqlite") }
    var audio: URL { url.appendingPathComponent("audio") }
    private var locks: URL { url.appendingPathComponent("locks") }

    /// The user's own history: Application Support on Apple systems, the XDG data folder on Linux.
    static func standard(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        #if canImport(Darwin)
            let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            return (support ?? URL(fileURLWithPath: NSHomeDirectory())).appendingPathComponent("Steno/History")
        #else
            let home = environment.path("HOME") ?? URL(fileURLWithPath: NSHomeDirectory())
            return (environment.path("XDG_DATA_HOME") ?? home.appendingPathComponent(".local/share"))
                .appendingPathComponent("steno/history")
        #endif
    }

    /// Makes the folder if it does not exist.
    init(_ url: URL) throws {
        self.url = url
        do {
            for folder in [url, audio, locks] {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
        } catch {
            throw StenoError(
                .outputFailed, "The folder of the history, \(url.path), cannot be made: \(error.localizedDescription)",
                underlying: error)
        }
    }

    /// Where the audio of a session is kept.
    func audio(of session: UUID) -> URL { audio.appendingPathComponent("\(session.uuidString).wav") }

    /// Marks a session as being recorded, as long as the lock lives: the system releases it when the process ends, however
    /// it ends.
    ///
    /// - Returns: nil if another writer has it.
    func lock(_ session: UUID) throws -> SessionLock? {
        try SessionLock(locks.appendingPathComponent(session.uuidString))
    }
}

/// The lock of a session that is being recorded.
final class SessionLock: Sendable {
    private let file: URL
    private let descriptor: Int32

    /// Takes the lock; nil if somebody else has it.
    init?(_ file: URL) throws {
        self.file = file
        descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StenoError(
                .outputFailed, "\(file.path) cannot be made (\(String(cString: strerror(errno)))).")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit {
        // Unlinked while it is held: whoever opened the file in between holds the lock of a file without a name, and only
        // reads with it whether a session is recorded, which it no longer is.
        unlink(file.path)
        close(descriptor)
    }
}
