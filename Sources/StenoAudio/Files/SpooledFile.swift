import Foundation
import StenoCore

/// A temporary file for audio that is not in a file, for decoders that have to seek.
///
/// Once complete it has no name, so nothing is left behind however the program ends.
struct SpooledFile {
    private let descriptor: OwnedDescriptor
    private let path: String
    private let need: String

    /// - Parameter need: Why a file is needed, for messages.
    /// - Throws: `StenoError.outputFailed`, as ``write(_:)`` does.
    private init(_ need: String) throws {
        self.need = need
        path = FileManager.default.temporaryDirectory.appendingPathComponent("steno-\(UUID().uuidString)").path
        guard let file = OwnedDescriptor.open(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600) else {
            throw Self.failure(need, SystemCallError(call: "open"))
        }
        descriptor = file
    }

    /// Copies the content of a pipe from its first byte to its end.
    ///
    /// - Throws: `StenoError`: `outputFailed` when it cannot be written, `cancelled` when reading is interrupted.
    static func make(of bytes: ByteReader) throws -> ByteReader {
        let file = try SpooledFile("\(bytes.name) has a format that cannot be read from a pipe")
        unlink(file.path)
        try file.write(bytes.passed ?? [])
        bytes.forgetPassed()
        while case let chunk = try bytes.read(upTo: 1 << 16), !chunk.isEmpty { try file.write(chunk) }
        return ByteReader(try file.complete(), name: bytes.name, interruption: bytes.interruption)
    }

    /// Opens a copy of data.
    ///
    /// - Parameter open: Opens the file, whose path, which some decoders need, exists only until this returns.
    static func withFile<Result>(
        of data: Data, name: String, _ open: (OwnedDescriptor, _ path: String) throws -> Result
    ) throws -> Result {
        let file = try SpooledFile("\(name) must be decoded from a file")
        defer { unlink(file.path) }
        try file.write(data)
        return try open(try file.complete(), file.path)
    }

    private func write(_ bytes: some ContiguousBytes) throws {
        do {
            try bytes.withUnsafeBytes { try descriptor.write($0) }
        } catch {
            throw Self.failure(need, error)
        }
    }

    /// The file, positioned at its first byte.
    private func complete() throws -> OwnedDescriptor {
        guard lseek(descriptor.rawValue, 0, SEEK_SET) == 0 else {
            throw Self.failure(need, SystemCallError(call: "lseek"))
        }
        return descriptor
    }

    private static func failure(_ need: String, _ error: any Error) -> StenoError {
        StenoError(
            .outputFailed,
            "\(need), and could not be copied to a temporary file: \(error). Save it to a file and use that.",
            underlying: error)
    }
}
