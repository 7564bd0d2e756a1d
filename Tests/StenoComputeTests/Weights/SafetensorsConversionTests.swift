import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore

struct SafetensorsConversionTests {
    private let folder = TemporaryFolder.ofSuite()
    private let source: URL
    private let target: URL

    /// A model of a matrix, a convolution and a norm.
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
        expectError(.cancelled) { try convert(isCancelled: { true }) }
        try FileManager.default.removeItem(at: source.appendingPathComponent("tokenizer.json"))
        expectError(.modelNotFound, says: "tokenizer.json") { try convert() }
        #expect(try folder.names().allSatisfy { $0 == "source" || $0.hasPrefix("source/") })
    }

    @Test func theSourceIsNeverReplaced() throws {
        expectError(.invalidOption, says: "another folder") {
            try SafetensorsConversion.convert(
                source, to: source, precision: .int8, replacing: true, role: { _, _ in .matrix })
        }
    }
}
