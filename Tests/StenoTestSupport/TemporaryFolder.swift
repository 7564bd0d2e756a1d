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
    @discardableResult package func write(_ text: String, to path: String) throws -> URL {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file
    }

    /// The paths of all files in the folder, in alphabetical order.
    package func names() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: url.path).sorted() }
}

/// Writes `NAME.json`; the order of a large vocabulary does not matter, and sorting it takes time.
func writeJSON(_ content: Any, to folder: URL, as name: String, isSorted: Bool = true) throws {
    try JSONSerialization.data(withJSONObject: content, options: isSorted ? .sortedKeys : [])
        .write(to: folder.appendingPathComponent(name + ".json"))
}

/// The little-endian numbers of a file.
func floats(_ data: Data) -> [Float] {
    data.withUnsafeBytes { bytes in
        stride(from: 0, to: bytes.count - 3, by: 4).map {
            Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)))
        }
    }
}

#if os(Linux) || os(macOS)
    /// Files of a model with a few wrong bytes, which must be errors or models, never a crash, a hang, or memory beyond reason.
    package enum DamagedFiles {
        /// The number of files of each subject; `make fuzz` sets it with `STENO_FUZZ_COUNT`.
        package static var count: Int {
            let wanted = ProcessInfo.processInfo.environment["STENO_FUZZ_COUNT"].flatMap { Int($0) }
            return wanted ?? (isLong ? 300 : 20)
        }

        /// Damages and reads the files of a subject of `StenoFuzzTool`, in a process of its own, so that only its memory is
        /// measured; returns what went wrong.
        ///
        /// - Parameter mostMemory: The bytes of memory that it may use, from the size of the undamaged file; they are not
        ///   checked under a sanitizer.
        package static func problems(of subject: String, mostMemory: (_ file: Int) -> Int) throws -> [String] {
            let report = try BuiltTool.report([subject, "\(count)"])
            let text = report.sorted { $0.key < $1.key }.map { "\($0) \($1)" }.joined(separator: ", ")
            print("fuzz \(subject): \(text)")
            let errors = report.filter { $0.key.hasPrefix("error-") }.reduce(0) { $0 + $1.value }
            let decoded = report["decoded"] ?? 0
            let isTooLarge = report["peak"].map { $0 >= mostMemory(report["file"] ?? 0) } ?? true
            let checks = [
                ("faults", report["faults"] != 0), ("files without a result", decoded + errors != count),
                // Without both, the mutations would be too wild or too tame.
                ("no file is refused", errors == 0), ("no file is a model", decoded == 0 && count >= 100),
                ("too much memory", report["instrumented"] == 0 && isTooLarge),
            ]
            return checks.filter(\.1).map { "\($0.0): \(text)" }
        }
    }
#endif
