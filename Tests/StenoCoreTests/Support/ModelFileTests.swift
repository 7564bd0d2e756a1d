import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore

struct ModelFileTests {
    /// Opening a pipe for reading would block for ever without a writer.
    @Test func aNamedPipeIsRejectedImmediately() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("model.bin").path
        try #require(mkfifo(path, 0o600) == 0)
        expectError(.modelNotFound, says: "is not a file") { try ModelFile(path: path) }
    }

    @Test func partsAreRead() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("numbers")
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 31) }
        try Data(bytes).write(to: url)
        let file = try ModelFile(path: url.path)
        #expect(try file.byteCount == bytes.count && file.contents() == bytes)
        for part in [0..<0, 0..<1, 4095..<4097, 99_999..<100_000, 100_000..<100_000] {
            #expect(try file.bytes(part) == Array(bytes[part]))
        }
    }
}
