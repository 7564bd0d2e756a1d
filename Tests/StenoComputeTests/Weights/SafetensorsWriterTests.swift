import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore

struct SafetensorsWriterTests {
    private let folder = TemporaryFolder.ofSuite()

    private static let matrix: [Float] = [1, -2, 0.5, 0.25, 0, 0]
    private static let norm: [Float] = [1.0009765625, -3]

    /// The tensors `model.w` (a matrix of three rows) and `model.n` of a file in some precision.
    private func source(_ stored: StoredPrecision = .float32) throws -> [String: StackedTensor] {
        let files = HuggingFaceModelFiles(
            [GGMLModelFile.Tensor("w", [3, 2], Self.matrix), GGMLModelFile.Tensor("n", [2], Self.norm)],
            precision: stored)
        let place = folder.url.appendingPathComponent("source-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try files.writeWeights(to: place)
        return try Self.tensors(SafetensorsFolder(folder: place))
    }

    private static func tensors(_ weights: SafetensorsFolder) throws -> [String: StackedTensor] {
        var tensors: [String: StackedTensor] = [:]
        for name in weights.names {
            let tensor = try #require(try weights.tensor(name))
            tensors[name] = StackedTensor(shape: tensor.shape, parts: [.tensor(tensor)])
        }
        return tensors
    }

    private func writer(_ tensors: [String: StackedTensor], _ precision: ConversionPrecision) -> SafetensorsWriter {
        var writer = SafetensorsWriter(tensors: [:])
        for (name, tensor) in tensors {
            writer.tensors[name] = (tensor, precision.format(stored: tensor.format, isMatrix: name == "model.w"))
        }
        return writer
    }

    private func write(_ tensors: [String: StackedTensor], _ precision: ConversionPrecision) throws -> URL {
        let place = folder.url.appendingPathComponent("written-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let file = try FileWriter(creating: place.appendingPathComponent("model.safetensors").path)
        try writer(tensors, precision).write(to: file) { _ in }
        try file.finish()
        return place
    }

    @Test func matricesInInt8HaveAScaleForEachRow() throws {
        let weights = try SafetensorsFolder(folder: write(source(), .int8))
        let matrix = try #require(try weights.tensor("model.w"))
        #expect(matrix.format == .int8 && matrix.shape == [3, 2])
        // 127 / max|w|; a row of zeros has 1.
        #expect(matrix.scales == [63.5, 254, 1])
        #expect(try matrix.bytes(of: 0..<3).map { Int8(bitPattern: $0) } == [64, -127, 127, 64, 0, 0])
        #expect(try matrix.floats().array == [64 / 63.5, -2, 0.5, 64.0 / 254, 0, 0])
        #expect(try weights.tensor("model.n")?.floats().array == Self.norm)
        #expect(weights.names == ["model.w", "model.n"])
    }

    @Test(arguments: ConversionPrecision.allCases) func valuesAreReadBack(precision: ConversionPrecision) throws {
        for stored in [StoredPrecision.float32, .float16] {
            let weights = try SafetensorsFolder(folder: write(source(stored), precision))
            let norm = try #require(try weights.tensor("model.n"))
            // What is no matrix stays in half precision.
            #expect(norm.format == (precision == .int8 ? StorageFormat(rawValue: stored.rawValue) : norm.format))
            #expect(try norm.floats().array == (precision == .bfloat16 ? [1, -3] : Self.norm))
            guard precision != .int8 else { continue }
            #expect(norm.format.rawValue == precision.rawValue)
            #expect(try weights.tensor("model.w")?.floats().array == Self.matrix)
        }
    }

    /// Large numbers first, so that each tensor is aligned for its type; the header counts from the end of itself.
    @Test func theFileIsLaidOutInOrder() throws {
        let file = try write(source(), .int8).appendingPathComponent("model.safetensors")
        let bytes = try Data(contentsOf: file)
        let length = Int(bytes[0]) + 256 * Int(bytes[1])
        let header = String(decoding: bytes[8..<8 + length], as: UTF8.self)
        #expect(length % 8 == 0)
        #expect(
            header.trimmingCharacters(in: .whitespaces)
                == #"{"__metadata__":{"format":"steno","quantization":"int8"},"#
                + #""model.n":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"#
                + #""model.w_scale":{"dtype":"F32","shape":[3],"data_offsets":[8,20]},"#
                + #""model.w":{"dtype":"I8","shape":[3,2],"data_offsets":[20,26]}}"#)
        #expect(bytes.count == 8 + length + 26)
        // Names may have any characters.
        let tensor = try #require(try source()["model.n"])
        let name = "a \"b\"\\\u{1}ü/c"
        #expect(try SafetensorsFolder(folder: write([name: tensor], .float32)).names == [name])
    }

    @Test func int8StaysAsItIs() throws {
        let once = try write(source(), .int8)
        let twice = try write(Self.tensors(SafetensorsFolder(folder: once)), .int8)
        let files = try [once, twice].map { try Data(contentsOf: $0.appendingPathComponent("model.safetensors")) }
        #expect(files[0] == files[1])
    }

    @Test func float16RefusesLargeWeights() throws {
        let files = HuggingFaceModelFiles([GGMLModelFile.Tensor("w", [1, 1], [70_000])])
        try files.writeWeights(to: folder.url)
        let tensors = try Self.tensors(SafetensorsFolder(folder: folder.url))
        expectError(.modelUnsupported, says: "model.w", "bfloat16") { try write(tensors, .float16) }
    }

    @Test func progressEndsWithAllBytes() throws {
        var last = ConversionProgress(tensors: 0, tensorCount: 0, bytes: 0, byteCount: 0)
        let file = try FileWriter(creating: folder.url.appendingPathComponent("x").path)
        try writer(source(), .int8).write(to: file) { last = $0 }
        #expect(last.byteCount == 26 && last.tensorCount == 3 && last.tensors == 2)
        #expect(last.bytes == 26)
    }
}

struct SafetensorsConversionTests {
    private let folder = TemporaryFolder.ofSuite()
    private let source: URL
    private let target: URL

    init() throws {
        source = folder.url.appendingPathComponent("source")
        target = folder.url.appendingPathComponent("target")
        try folder.write(#"{"model_type": "other"}"#, to: "source/config.json")
        try folder.write("{}", to: "source/tokenizer.json")
        try folder.write("notes", to: "source/README.md")
        try HuggingFaceModelFiles(
            [
                GGMLModelFile.Tensor("a.weight", [2, 2], [1, 2, 3, 4]), GGMLModelFile.Tensor("b.weight", [1, 1], [5]),
                GGMLModelFile.Tensor("n.weight", [2], [6, 7]),
            ]
        ).writeWeights(to: source, parts: 2)
    }

    private func convert(
        _ precision: ConversionPrecision = .int8, replacing: Bool = false, isCancelled: () -> Bool = { false }
    ) throws {
        try SafetensorsConversion.convert(
            source, to: target, precision: precision, replacing: replacing,
            role: { name, shape in
                switch name {
                case "model.a.weight": .matrix
                case "model.b.weight": .convolution
                default: .other
                }
            }, isCancelled: isCancelled)
    }

    @Test func matricesAreRoundedAndTheRestIsCopied() throws {
        try convert()
        #expect(
            try folder.names().filter { $0.hasPrefix("target/") }.sorted()
                == ["target/config.json", "target/model.safetensors", "target/tokenizer.json"])
        let config = try String(contentsOf: target.appendingPathComponent("config.json"), encoding: .utf8)
        #expect(config == #"{"model_type": "other"}"#)
        let weights = try SafetensorsFolder(folder: target)
        #expect(weights.names == ["model.a.weight", "model.b.weight", "model.n.weight"])
        let matrix = try #require(try weights.tensor("model.a.weight"))
        #expect(matrix.format == .int8 && matrix.scales == [63.5, 31.75])
        #expect(try weights.tensor("model.b.weight")?.format == .float16)
        #expect(try weights.tensor("model.b.weight")?.floats().array == [5])
        #expect(try weights.tensor("model.n.weight")?.format == .float32)
        #expect(try weights.tensor("model.n.weight")?.floats().array == [6, 7])
    }

    @Test func aConvertedModelIsReplacedOnRequest() throws {
        try convert(.float32)
        expectError(.outputFailed, says: "--force") { try convert() }
        try convert(replacing: true)
        #expect(try SafetensorsFolder(folder: target).tensor("model.a.weight")?.format == .int8)
        try folder.write("mine", to: "target/notes.txt")
        expectError(.outputFailed, says: "other files") { try convert(replacing: true) }
    }

    @Test func aFailedConversionLeavesNothing() throws {
        // The source is never replaced.
        expectError(.invalidOption, says: "another folder") {
            try SafetensorsConversion.convert(
                source, to: source, precision: .int8, replacing: true, role: { _, _ in .matrix })
        }
        expectError(.cancelled) { try convert(isCancelled: { true }) }
        try FileManager.default.removeItem(at: source.appendingPathComponent("tokenizer.json"))
        expectError(.modelNotFound, says: "tokenizer.json") { try convert() }
        #expect(try folder.names().allSatisfy { $0 == "source" || $0.hasPrefix("source/") })
    }
}
