package import Foundation

/// Writes files atomically, whatever interrupts the program.
package enum AtomicFile {
    /// Writes text as UTF-8 to a new file beside its place and then renames it, which replaces what was there.
    package static func write(_ text: String, to file: URL) throws {
        let temporary = temporaryFile(in: file.deletingLastPathComponent())
        do {
            try Data(text.utf8).write(to: temporary, options: .withoutOverwriting)
            guard rename(temporary.path, file.path) == 0 else { throw failure(file, lastError()) }
        } catch {
            try? FileManager.default.removeItem(at: temporary)
            throw error as? StenoError ?? failure(file, "\(error.localizedDescription)")
        }
    }

    /// Whether a file can be created in a folder, tested by creating one: permissions are not reliable on every disk.
    package static func canWrite(in folder: URL) -> Bool {
        let temporary = temporaryFile(in: folder)
        defer { try? FileManager.default.removeItem(at: temporary) }
        return (try? Data().write(to: temporary, options: .withoutOverwriting)) != nil
    }

    private static func temporaryFile(in folder: URL) -> URL {
        folder.appendingPathComponent(".steno-\(UUID().uuidString)")
    }

    private static func failure(_ file: URL, _ reason: String) -> StenoError {
        StenoError(.outputFailed, "\(file.path) cannot be written: \(reason)")
    }

    private static func lastError() -> String { String(cString: strerror(errno)) }
}
