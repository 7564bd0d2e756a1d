import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

/// The same weights in every format give the same tensors.
struct FormatAgreementTests {
    /// The vocabulary that GGML implies, in an otherwise small model.
    static let narrow = RandomModel(
        RandomModel.Shape(
            mels: 80, width: 64, heads: 1, encoderLayers: 1, decoderLayers: 2, vocabulary: 51_865, audioContext: 100,
            textContext: 64))

    /// The values of all tensors, checked against what the model says.
    static func expectTensors(
        _ package: any ModelPackage, _ model: RandomModel, _ stored: (GGMLModelFile.Tensor) -> [Float]
    ) throws {
        for expected in model.tensors {
            let tensor = try #require(try package.tensor(expected.name), "\(expected.name)")
            #expect(try tensor.floats().array == stored(expected), "\(expected.name)")
        }
        #expect(try package.tensor("encoder.blocks.0.attn.key.bias") == nil)
        #expect(try package.tensor("encoder.blocks.7.attn.key.weight") == nil)
        #expect(try package.tensor("nothing") == nil)
    }

    @Test(arguments: GGMLType.allCases) func ggmlHasTheSameTensors(type: GGMLType) throws {
        let folder = try TemporaryFolder()
        // A vocabulary as large as GGML's takes seconds to encode.
        let file = GGMLModelFile(SmallModel.model.tensors, heads: 1, tokens: [], type: type)
        try file.serialized().bytes.write(to: folder.url.appendingPathComponent("ggml-small.bin"))
        let package = try ModelFormat.openWhisper(at: folder.url)
        #expect(package.source.format == "GGML (whisper.cpp)")
        #expect(package.source.storedPrecision == type.rawValue)
        try Self.expectTensors(package, SmallModel.model) { tensor in
            let stored = file.type(of: tensor)
            return stored.decode(stored.encode(tensor.values))
        }
    }

    @Test(arguments: [StoredPrecision.float32, .float16, .bfloat16], [1, 3])
    func huggingFaceHasTheSameTensors(precision: StoredPrecision, parts: Int) throws {
        try SmallModel.withHuggingFace(precision, parts: parts) { folder in
            let package = try ModelFormat.openWhisper(at: folder)
            #expect(package.source.format == "Hugging Face safetensors" + (parts > 1 ? ", 3 files" : ""))
            #expect(package.source.storedPrecision == precision.rawValue)
            try Self.expectTensors(package, SmallModel.model) { tensor in
                switch precision {
                case .float16: GGMLType.float16.decode(GGMLType.float16.encode(tensor.values))
                case .bfloat16: tensor.values.map { Float(bitPattern: UInt32(bfloat16Bits($0)) << 16) }
                case .float32, .int8: tensor.values
                }
            }
        }
    }
}

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

#if os(Linux) || os(macOS)
    /// Model files with a few wrong bytes: an error or a model, never a crash, a hang, or memory beyond reason.
    ///
    /// Each subject has its own process, so that only its memory is measured.
    /// `STENO_FUZZ_COUNT=10000 swift test -c release --filter FuzzTests` takes longer.
    struct FuzzTests {
        @Test(arguments: [
            "model-float32", "model-int8", "aliases", "config.json", "vocabulary.json", "vocabulary.txt",
            "tokenizer.json", "ggml", "model.safetensors", "model.safetensors.index.json", "hf-config.json",
            "generation_config.json", "vocab.json",
        ])
        func damagedFiles(subject: String) throws {
            // In float32, the 5.5-bit numbers of a GGML file take six times as much.
            let factor = subject == "ggml" ? 8 : 3
            let problems = try DamagedFiles.problems(of: subject) { file in factor * file + 50 << 20 }
            #expect(problems == [])
        }

        /// A few megabytes at most, since the file's pages are released once read.
        @Test func loadingTakesLittleMoreMemoryThanTheWeights() throws {
            let folder = try TemporaryFolder()
            try RandomModel(.micro).writeCTranslate2(to: folder.url)
            let report = try BuiltTool.report(["load", folder.url.path])
            if report["instrumented"] == 0 {
                // The vocabulary of 51,865 tokens and one read; the largest tensor alone is 13 MB.
                #expect(try #require(report["growth"]) < #require(report["weights"]) + 16 << 20)
            }
        }
    }
#endif
