package import Foundation

/// A folder for one test, removed when the value is released.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("steno-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    private init(at url: URL) { self.url = url }

    /// A folder for each test of a suite; if it cannot be created, whatever the tests write to it fails.
    package static func ofSuite() -> TemporaryFolder {
        let name = "steno-test-\(UUID().uuidString)"
        let folder = TemporaryFolder(at: FileManager.default.temporaryDirectory.appendingPathComponent(name))
        try? FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        return folder
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file in the folder, creating subfolders as needed, and returns its location.
    @discardableResult
    package func write(_ text: String, to path: String) throws -> URL {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file
    }

    /// The paths of all files in the folder, in alphabetical order.
    package func names() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: url.path).sorted() }
}
