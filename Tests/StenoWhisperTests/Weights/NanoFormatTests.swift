import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

/// The nano model gives the same text in every format.
struct NanoFormatTests {
    static let package = Result { try CTranslate2Package(folder: Fixtures.nano) }

    /// All tensors of the model in float32; they are stored in float16.
    static func tensors() throws -> [GGMLModelFile.Tensor] {
        let package = try package.get()
        return try WhisperTensors.all(of: ModelShape(package)).compactMap { name, shape in
            guard !name.hasSuffix("key.bias") else { return nil }
            return GGMLModelFile.Tensor(name, shape, try package.tensor(name, shape: shape).floats().array)
        }
    }

    static func transcript(_ url: URL) throws -> Transcript {
        let model = try WhisperModel.load(folder: url, precision: .float32, threads: 2)
        let options = TranscriptionOptions(language: "en").with {
            ($0.whisper.temperatures, $0.whisper.beamSize) = ([0], 5)
        }
        return try model.transcribe(ArraySampleSource(try TestAudio.speech()), options: options)
    }

    @Test func everyFormatGivesTheTokensOfTheGoldenModel() throws {
        let folder = try TemporaryFolder(), tensors = try Self.tensors()
        let expected = try Self.transcript(Fixtures.nano)
        #expect(expected.segments.contains { !($0.whisper?.tokens ?? []).isEmpty })
        let ggml = folder.url.appendingPathComponent("ggml-nano.bin")
        try GGMLModelFile(
            tensors, heads: 2, tokens: RandomModel.textTokens(isMultilingual: true), type: .float16
        ).serialized().bytes.write(to: ggml)
        #expect(try Self.transcript(ggml) == expected)
        let huggingFace = folder.url.appendingPathComponent("hf")
        try FileManager.default.createDirectory(at: huggingFace, withIntermediateDirectories: true)
        let files = HuggingFaceModelFiles(tensors, precision: .float16)
        try files.writeWeights(to: huggingFace, parts: 2)
        try files.writeConfiguration(to: huggingFace, heads: 2)
        try FileManager.default.copyItem(
            at: Fixtures.nano.appendingPathComponent("tokenizer.json"),
            to: huggingFace.appendingPathComponent("tokenizer.json"))
        #expect(try Self.transcript(huggingFace) == expected)
        let converted = folder.url.appendingPathComponent("converted")
        try WhisperConversion.convert(huggingFace, to: converted, precision: .float16)
        #expect(try Self.transcript(converted) == expected)
        let original = try Data(contentsOf: Fixtures.nano.appendingPathComponent("model.bin"))
        #expect(try Data(contentsOf: converted.appendingPathComponent("model.bin")) == original)
    }
}
