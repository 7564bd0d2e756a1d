import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore

/// Archives that Python compressed (Tools/goldens/make_nemo_goldens.py), and damaged ones.
struct GzipReaderTests {
    private static let plain = Fixtures.file("nemo/hybrid.nemo")
    private static let compressed = Fixtures.file("nemo/compressed.nemo")

    /// The content of a file with these bytes, decompressed.
    private static func content(_ bytes: Data, checkCancellation: () throws -> Void = {}) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("model.nemo").path
        try bytes.write(to: URL(fileURLWithPath: path))
        let file = try MappedFile.decompressed(
            MappedFile(path: path), path: path, checkCancellation: checkCancellation)
        // The content has no name, and outlives the folder.
        #expect(try folder.names() == ["model.nemo"])
        return file.contents
    }

    @Test func theContentIsThatOfTheOriginal() throws {
        #expect(try Self.content(Data(contentsOf: Self.compressed)) == [UInt8](Data(contentsOf: Self.plain)))
    }

    /// As gunzip: other bytes at the end are ignored.
    @Test func streamsFollowEachOther() throws {
        let one = try Data(contentsOf: Fixtures.file("nemo/zeros.gz"))
        #expect(one.count < 1100)
        #expect(try Self.content(one + one) == [UInt8](repeating: 0, count: 2 << 20))
        #expect(try Self.content(one + Data([0, 0, 0])).count == 1 << 20)
    }

    @Test func aTruncatedFileEndsTooEarly() throws {
        let whole = try Data(contentsOf: Self.compressed)
        for length in [3, 9, 11, 100_000, whole.count - 8, whole.count - 1] {
            expectError(.modelDamaged, says: "ends too early") { try Self.content(whole.prefix(length)) }
        }
    }

    @Test func wrongBytesAreNoticed() throws {
        let whole = try Data(contentsOf: Self.compressed)
        for (place, reason) in [(2, "method"), (whole.count - 8, "data check"), (whole.count - 4, "length check")] {
            var file = whole
            file[place] ^= 1
            expectError(.modelDamaged, says: "cannot be decompressed", reason) { try Self.content(file) }
        }
        expectError(.modelDamaged) { try Self.content(Data("anything else".utf8)) }
    }

    /// A megabyte of zeros takes a kilobyte, which could fill a disk.
    @Test func contentThatIsMuchLargerIsRefused() throws {
        let one = try Data(contentsOf: Fixtures.file("nemo/zeros.gz"))
        let bomb = (0..<66).reduce(into: Data()) { bytes, _ in bytes += one }
        expectError(.modelDamaged, says: "100 times") { try Self.content(bomb) }
    }

    @Test func withoutZlibTheErrorSaysWhatToDo() throws {
        #expect(ZlibLibrary(path: "/nowhere/libz.so") == nil)
        let file = try MappedFile(path: Self.compressed.path)
        expectError(.modelUnsupported, says: "Install it", "gunzip < a.nemo") {
            try GzipReader(file, path: "a.nemo", library: nil)
        }
    }

    @Test func readingCanBeCancelled() throws {
        struct Stop: Error {}
        let file = try Data(contentsOf: Self.compressed)
        #expect(throws: Stop.self) { try Self.content(file) { throw Stop() } }
    }

    @Test func anUnnamedFileNeedsAFolder() throws {
        expectError(.outputFailed, says: "/nowhere/else") { try FileWriter(unnamedIn: ["/nowhere", "/nowhere/else"]) }
        let folder = try TemporaryFolder()
        let writer = try FileWriter(unnamedIn: ["/nowhere", folder.url.path])
        try writer.write([1, 2, 3])
        #expect(try writer.mapped().contents == [1, 2, 3])
        #expect(try folder.names() == [])
    }
}
