import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore

@Suite struct ResourceFolderTests {
    private final class Anchor {}

    private let folder = TemporaryFolder.ofSuite()

    private func resources(_ places: String...) -> ResourceFolder {
        ResourceFolder(
            bundle: "Package_Target", of: Anchor.self,
            directories: places.map { folder.url.appendingPathComponent($0) })
    }

    @Test(arguments: ["Package_Target.resources", "Package_Target.bundle", "Package_Target.bundle/Contents/Resources"])
    func everyFormOfBundleIsFound(_ form: String) throws {
        let file = try folder.write("x", to: "place/\(form)/models/a.bin")
        #expect(resources("place").url("models/a.bin")?.path == file.path)
        #expect(resources("place").url("models")?.path == file.deletingLastPathComponent().path)
    }

    @Test func theFirstFolderWithTheResourceWins() throws {
        try folder.write("", to: "first/Package_Target.resources/other")
        let second = try folder.write("", to: "second/Package_Target.resources/a")
        try folder.write("", to: "third/Package_Target.resources/a")
        #expect(resources("nowhere", "first", "second", "third").url("a")?.path == second.path)
    }

    @Test func missingResourcesAreNilAndTheRunningProgramsFoldersAreSearched() throws {
        try folder.write("", to: "place/Other_Target.resources/a")
        try folder.write("", to: "place/Package_Target.resources/b")
        #expect(resources("place").url("a") == nil)
        #expect(resources("nowhere").url("a") == nil)
        #expect(resources().url("b") == nil)
        // The tests are a program too: resources built with them are found in any current folder.
        #expect(ResourceFolder(bundle: "Steno_StenoVoiceActivity", of: Anchor.self).url("silero-vad") != nil)
        #expect(ResourceFolder(bundle: "Steno_NoSuchTarget", of: Anchor.self).url("silero-vad") == nil)
    }
}

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
