import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore

/// Archives that tar programs write, and those that no program would.
struct TarArchiveTests {
    private static func open<Result>(_ bytes: Data, _ body: (TarArchive) throws -> Result) throws -> Result {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("model.nemo")
        try bytes.write(to: url)
        return try body(TarArchive(path: url.path))
    }

    /// The files of an archive, as text.
    private static func files(_ archive: TarFile) throws -> [String: String] {
        try open(archive.complete) { archive in
            archive.entries.mapValues { String(decoding: archive.file.bytes[$0], as: UTF8.self) }
        }
    }

    @Test func filesAreRangesOfTheArchive() throws {
        var archive = TarFile()
        archive.add("./", Data(), type: "5")
        archive.add("./one.txt", Data("first".utf8))
        archive.add("folder/two", Data(repeating: 0x41, count: 1024))
        archive.add("link", Data(), type: "2")
        archive.add("name", Data("third".utf8), prefix: "a/long/folder")
        let files = try Self.files(archive)
        #expect(Set(files.keys) == ["one.txt", "folder/two", "a/long/folder/name"])
        #expect(files["one.txt"] == "first")
        #expect(files["folder/two"]?.count == 1024)
        #expect(files["a/long/folder/name"] == "third")
    }

    @Test func longNamesPrecedeTheirFile() throws {
        let long = "./" + String(repeating: "folder/", count: 30) + "file"
        var archive = TarFile()
        archive.add("././@LongLink", Data((long + "\0").utf8), type: "L")
        archive.add(String(long.prefix(100)), Data("gnu".utf8))
        archive.add("PaxHeader", Data("226 path=\(long)\n".utf8), type: "x")
        archive.add("short", Data("pax".utf8))
        archive.add("last", Data("plain".utf8))
        #expect(long.utf8.count == 216)
        let files = try Self.files(archive)
        #expect(files == [String(long.dropFirst(2)): "pax", "last": "plain"])
    }

    @Test func sizesAreOctalOrBinaryOrInAttributes() throws {
        var archive = TarFile()
        archive.add("spaces", Data("12345678".utf8), size: Array("        10 \0".utf8))
        archive.add("binary", Data("four".utf8), size: [0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4])
        archive.add("PaxHeader", Data("9 size=5\n14 mtime=12.5\n".utf8), type: "x")
        archive.add("attribute", Data("five.".utf8), size: Array("00000000000\0".utf8))
        #expect(try Self.files(archive) == ["spaces": "12345678", "binary": "four", "attribute": "five."])
    }

    @Test func anArchiveWithoutItsEndIsComplete() throws {
        var archive = TarFile()
        archive.add("file", Data("content".utf8))
        let names = try Self.open(archive.bytes) { Array($0.entries.keys) }
        #expect(names == ["file"])
    }

    @Test func aCutArchiveSaysWhatIsMissing() throws {
        var archive = TarFile()
        archive.add("model_weights.ckpt", Data(count: 2000))
        for length in [511, 513, 1000, 2511] {
            let part = archive.bytes.prefix(length)
            expectError(.modelDamaged, says: length < 512 ? "ends too early" : "of 2000 bytes of model_weights.ckpt") {
                try Self.open(part) { _ in }
            }
        }
    }

    @Test(arguments: [
        Array("99999999999\0".utf8), Array("77777777777\0".utf8), [0xFF] + [UInt8](repeating: 0xFF, count: 11),
        [0x80] + [UInt8](repeating: 0xFF, count: 11), [0x80, 0, 0, 0, 0x7F] + [UInt8](repeating: 0xFF, count: 7),
    ])
    func hostileSizesAreRefused(size: [UInt8]) throws {
        var archive = TarFile()
        archive.add("file", Data("content".utf8), size: size)
        expectError(.modelDamaged) { try Self.open(archive.complete) { _ in } }
    }

    @Test(arguments: ["99 path=x\n", "path=x\n", "5 path=x\n", "10 size=-5\n", "3 \n"])
    func hostileAttributesAreRefused(attributes: String) throws {
        var archive = TarFile()
        archive.add("PaxHeader", Data(attributes.utf8), type: "x")
        archive.add("file", Data("content".utf8))
        expectError(.modelDamaged) { try Self.open(archive.complete) { _ in } }
    }

    @Test func aHeaderHasAChecksum() throws {
        var archive = TarFile()
        archive.add("file", Data("content".utf8), isValid: false)
        expectError(.modelDamaged, says: "checksum") { try Self.open(archive.complete) { _ in } }
    }
}
