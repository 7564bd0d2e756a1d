package import Foundation

/// Creates a folder of files atomically: others see all of it or nothing, and a failure leaves nothing behind.
package enum AtomicFolder {
    /// Creates a folder next to its destination and then renames it.
    ///
    /// - Parameters:
    ///   - replacing: Whether an existing folder is replaced once the new one is complete.
    ///   - fill: Writes the files to the folder at a URL.
    /// - Throws: `outputFailed`, or what `fill` throws.
    package static func make(_ folder: URL, replacing: Bool, fill: (URL) throws -> Void) throws {
        let manager = FileManager.default
        let parent = folder.standardizedFileURL.deletingLastPathComponent()
        let temporary = parent.appendingPathComponent(".steno-\(UUID().uuidString)")
        defer { try? manager.removeItem(at: temporary) }
        try explaining(folder) {
            try manager.createDirectory(at: parent, withIntermediateDirectories: true)
            try manager.createDirectory(at: temporary, withIntermediateDirectories: false)
        }
        try fill(temporary)
        try explaining(folder) {
            guard replacing, manager.fileExists(atPath: folder.path) else {
                return try manager.moveItem(at: temporary, to: folder)
            }
            let old = parent.appendingPathComponent(".steno-\(UUID().uuidString)")
            try manager.moveItem(at: folder, to: old)
            do {
                try manager.moveItem(at: temporary, to: folder)
            } catch {
                try? manager.moveItem(at: old, to: folder)
                throw error
            }
            try manager.removeItem(at: old)
        }
    }

    private static func explaining(_ folder: URL, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw StenoError(
                .outputFailed, "\(folder.path) cannot be written: \(error.localizedDescription)", underlying: error)
        }
    }
}
