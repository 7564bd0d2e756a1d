import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore

struct MappedFileTests {
    /// Opening a pipe for reading would block for ever without a writer.
    @Test func aNamedPipeIsRejectedImmediately() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("model.bin").path
        try #require(mkfifo(path, 0o600) == 0)
        expectError(.modelNotFound, says: "is not a file") { try MappedFile(path: path) }
    }

    @Test func releasedPartsRemainReadable() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("numbers")
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 31) }
        try Data(bytes).write(to: url)
        let file = try MappedFile(path: url.path)
        #expect(file.contents == bytes)
        file.forget(0..<bytes.count)
        file.forget(5000..<5001)
        file.forget(99_999..<100_000)
        #expect(file.contents == bytes)
    }
}
