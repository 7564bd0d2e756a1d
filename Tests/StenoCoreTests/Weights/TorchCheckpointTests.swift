import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore

/// Checkpoints as PyTorch writes them, and with the parts of their zip archive falsified.
struct TorchCheckpointTests {
    static let values: [UInt8] = TorchPickle.values([1, 2, 3, 4, 5, 6])

    static func zip(_ pickle: [UInt8] = TorchPickle.tensor(), values: [UInt8] = values, more: [(String, [UInt8])] = [])
        -> ZipFile
    {
        ZipFile([("archive/data.pkl", pickle), ("archive/data/0", values)] + more)
    }

    static func open<Result>(_ bytes: Data, _ body: (TorchCheckpoint) throws -> Result) throws -> Result {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("weights.ckpt")
        try bytes.write(to: url)
        return try body(TorchCheckpoint(path: url.path))
    }

    static func floats(_ bytes: Data, _ name: String = "w") throws -> [Float]? {
        try open(bytes) { try $0.tensor(name)?.floats().array }
    }

    @Test(arguments: [false, true])
    func aTensorIsReadFromItsStorage(isLarge: Bool) throws {
        var zip = Self.zip()
        zip.isLarge = isLarge
        #expect(try Self.floats(zip.bytes) == [1, 2, 3, 4, 5, 6])
        #expect(try Self.floats(zip.bytes, "other") == nil)
        let shape = try Self.open(zip.bytes) { try $0.tensor("w")?.shape }
        #expect(shape == [2, 3])
    }

    @Test func aTensorMayBeAPartOfItsStorage() throws {
        let part = TorchPickle.tensor(offset: 2, shape: [1, 3], strides: [99, 1])
        #expect(try Self.floats(Self.zip(part).bytes) == [3, 4, 5])
    }

    @Test func halfPrecisionIsRead() throws {
        let half = Self.zip(
            TorchPickle.tensor(type: "HalfStorage", shape: [2], strides: [1]), values: [0, 0x3C, 0, 0xC0])
        #expect(try Self.floats(half.bytes) == [1, -2])
        let brain = Self.zip(
            TorchPickle.tensor(type: "BFloat16Storage", shape: [2], strides: [1]), values: [0x80, 0x3F, 0, 0xC0])
        #expect(try Self.floats(brain.bytes) == [1, -2])
    }

    @Test func theWeightsOfATrainingCheckpointAreFound() throws {
        // {"epoch": 3, "state_dict": {"w": …}}
        let inner = TorchPickle.tensor().dropFirst(2).dropLast()
        let outer: [UInt8] =
            [0x80, 2] + Array("}(X\u{5}\0\0\0epochK\u{3}X\u{A}\0\0\0state_dict".utf8) + inner + Array("u.".utf8)
        #expect(try Self.floats(Self.zip(outer).bytes) == [1, 2, 3, 4, 5, 6])
    }

    @Test(arguments: [("LongStorage", "LongStorage"), ("DoubleStorage", "float32")])
    func otherTypesAreUnsupported(type: String, reason: String) {
        let bytes = Self.zip(TorchPickle.tensor(type: type)).bytes
        expectError(.modelUnsupported, says: "tensor w", reason) { try Self.floats(bytes) }
    }

    @Test func aTransposedTensorIsUnsupported() {
        let bytes = Self.zip(TorchPickle.tensor(shape: [3, 2], strides: [1, 3])).bytes
        expectError(.modelUnsupported, says: "contiguous") { try Self.floats(bytes) }
    }

    @Test func missingValuesAreNamed() {
        let cases: [(zip: ZipFile, reason: String)] = [
            (Self.zip(TorchPickle.tensor(key: "7")), "data/7"),
            (Self.zip(values: Array(Self.values.dropLast())), "only 23 bytes"),
            (Self.zip(TorchPickle.tensor(offset: 1)), "only 24 bytes"),
            (Self.zip(TorchPickle.tensor(shape: [0, 3])), "shape"),
            (Self.zip(TorchPickle.tensor(shape: [255, 255], strides: [255, 1])), "only 24 bytes"),
            (ZipFile([("archive/data/0", [1])]), "data.pkl"), (Self.zip([0x80, 2, 0x7D, 0x2E]), "no tensors"),
        ]
        for (zip, reason) in cases { expectError(.modelDamaged, says: reason) { try Self.floats(zip.bytes) } }
    }

    @Test func otherFilesAreUnsupported() {
        expectError(.modelUnsupported, says: "PyTorch 1.6") { try Self.floats(Data([0x80, 2, 0x8A, 10])) }
        let bigEndian = Self.zip(more: [("archive/byteorder", Array("big".utf8))])
        expectError(.modelUnsupported, says: "big-endian") { try Self.floats(bigEndian.bytes) }
        var compressed = Self.zip()
        compressed.method = 8
        expectError(.modelUnsupported, says: "compressed") { try Self.floats(compressed.bytes) }
        expectError(.modelUnsupported, says: "dictionary") { try Self.floats(Self.zip([0x80, 2, 0x4E, 0x2E]).bytes) }
    }

    @Test func everyCutArchiveIsAnError() {
        let bytes = Self.zip().bytes
        for length in 5..<bytes.count {
            expectError(.modelDamaged) { try Self.floats(bytes.prefix(length)) }
        }
    }
}
