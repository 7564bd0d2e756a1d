import Foundation
import StenoCore

/// A pipe copied into a temporary file, for formats that cannot be decoded without seeking.
enum SpooledFile {
    /// Copies what a pipe has from its first byte to its end.
    ///
    /// The file has no name, so nothing remains of it whatever ends the program.
    ///
    /// - Throws: `StenoError`: `outputFailed` when there is no room for it, `cancelled` when the reading is interrupted.
    static func make(of bytes: ByteReader) throws -> ByteReader {
        let file = try create(bytes.name)
        try write(bytes.passed ?? [], to: file, bytes.name)
        bytes.forgetPassed()
        while true {
            let chunk = try bytes.read(upTo: 1 << 16)
            if chunk.isEmpty { break }
            try write(chunk, to: file, bytes.name)
        }
        guard lseek(file.rawValue, 0, SEEK_SET) == 0 else { throw failure(bytes.name, SystemCallError(call: "lseek")) }
        return ByteReader(file, name: bytes.name, interruption: bytes.interruption)
    }

    private static func create(_ name: String) throws -> OwnedDescriptor {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("steno-\(UUID().uuidString)").path
        let descriptor = retrying { open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { throw failure(name, SystemCallError(call: "open")) }
        unlink(path)
        return OwnedDescriptor(descriptor)
    }

    private static func write(_ bytes: [UInt8], to file: OwnedDescriptor, _ name: String) throws {
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let chunk = UnsafeRawBufferPointer(rebasing: rest)
                let count = retrying { Foundation.write(file.rawValue, chunk.baseAddress, chunk.count) }
                guard count > 0 else { throw failure(name, SystemCallError(call: "write")) }
                rest = rest.dropFirst(count)
            }
        }
    }

    private static func failure(_ name: String, _ error: SystemCallError) -> StenoError {
        StenoError(
            .outputFailed,
            "\(name) must be copied to a temporary file, since its format cannot be read from a pipe, and that failed: "
                + "\(error). Save it to a file and name that.",
            underlying: error)
    }
}
