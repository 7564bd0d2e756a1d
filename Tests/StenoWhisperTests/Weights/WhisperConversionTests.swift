import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

struct WhisperConversionTests {
    private let folder = TemporaryFolder.ofSuite()

    private func place(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    /// The bytes that CTranslate2's own converter writes (`RandomModelTests` compares them with its files).
    private func expected(_ model: RandomModel, _ precision: ConversionPrecision) throws -> Data {
        var bytes = Data()
        try model.serialize(precision: #require(StoredPrecision(rawValue: precision.rawValue))) { bytes.append($0) }
        return bytes
    }

    private func converted(_ source: URL, _ precision: ConversionPrecision = .int8) throws -> (URL, Data) {
        let target = place("converted-\(UUID().uuidString)")
        try WhisperConversion.convert(source, to: target, precision: precision)
        return (target, try Data(contentsOf: target.appendingPathComponent("model.bin")))
    }

    @Test(arguments: ConversionPrecision.allCases)
    func everyFormatConvertsToCTranslate2sFile(precision: ConversionPrecision) throws {
        let model = FormatAgreementTests.narrow
        let expected = try expected(model, precision)
        let ggml = place("ggml-narrow.bin")
        try model.ggml(.float32).serialized().bytes.write(to: ggml)
        #expect(try converted(ggml, precision).1 == expected)
        try model.writeCTranslate2(to: place("ct2"))
        #expect(try converted(place("ct2"), precision).1 == expected)
        try SmallModel.withHuggingFace(parts: 2) { huggingFace in
            let result = try converted(huggingFace, precision)
            #expect(try result.1 == self.expected(SmallModel.model, precision))
        }
    }

    /// Everything already in int8 is unchanged.
    @Test func halfPrecisionKeepsInt8() throws {
        try SmallModel.withHuggingFace(.float16) { source in
            let (target, _) = try converted(source)
            let package = try CTranslate2Package(folder: target)
            #expect(try package.tensor("decoder.token_embedding.weight")?.format == .int8)
            #expect(try package.tensor("decoder.ln.weight")?.format == .float16)
            let half = try HuggingFacePackage(folder: source).tensor("decoder.ln.weight")
            #expect(try package.tensor("decoder.ln.weight")?.floats().array == half?.floats().array)
        }
    }

    /// Like CTranslate2's converter; here layers share a norm.
    @Test func equalTensorsAreStoredOnce() throws {
        var shape = FormatAgreementTests.narrow.shape
        shape.encoderLayers = 2
        var file = try RandomModel(shape).ggml(.float32)
        func place(_ name: String) throws -> Int { try #require(file.tensors.firstIndex { $0.name == name }) }
        for name in ["attn_ln.weight", "mlp.0.weight", "mlp.0.bias"] {
            let copy = try place("encoder.blocks.1.\(name)"), original = try place("encoder.blocks.0.\(name)")
            file.tensors[copy].values = file.tensors[original].values
        }
        let source = self.place("shared.bin")
        try file.serialized().bytes.write(to: source)
        for precision in [ConversionPrecision.float32, .int8] {
            let (target, _) = try converted(source, precision)
            let path = target.appendingPathComponent("model.bin").path
            let binary = try CTranslate2File(path: path, kind: "WhisperSpec")
            let scales = precision == .int8 ? ["ffn/linear_0/weight_scale"] : []
            for name in ["self_attention/layer_norm/gamma", "ffn/linear_0/weight", "ffn/linear_0/bias"] + scales {
                #expect(binary.variables["encoder/layer_0/\(name)"] != nil)
                #expect(binary.variables["encoder/layer_1/\(name)"] == nil)
            }
            #expect(try WhisperModel.load(folder: target, threads: 1).shape.encoderLayers == 2)
            let package = try CTranslate2Package(folder: target)
            #expect(
                try package.tensor("encoder.blocks.1.mlp.0.weight")?.floats().array
                    == package.tensor("encoder.blocks.0.mlp.0.weight")?.floats().array)
        }
    }

    /// Text of noise, with timestamps and word times.
    private static func transcript(_ url: URL) throws -> Transcript {
        let model = try WhisperModel.load(folder: url, precision: .float32, threads: 1)
        var options = TranscriptionOptions(language: "en", wordTimestamps: true)
        options.whisper = WhisperOptions().with {
            ($0.temperatures, $0.noSpeechThreshold) = ([0], nil)
            ($0.skipsSilence, $0.maxNewTokens) = (false, 20)
        }
        var random = SplitMix64(seed: 5)
        return try model.transcribe(
            ArraySampleSource(random.uniform(count: 48_000, centre: 0, span: 0.3)), options: options)
    }

    @Test func aConvertedModelHasAllFilesAndTheSameTokens() throws {
        let source = place("ggml-narrow.bin")
        try FormatAgreementTests.narrow.ggml(.float16).serialized().bytes.write(to: source)
        // Anything but a matrix is float32 in the source.
        let (target, _) = try converted(source, .float32)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: target.path).sorted()
                == ["config.json", "model.bin", "preprocessor_config.json", "tokenizer.json", "vocabulary.json"])
        #expect(try Self.transcript(target) == Self.transcript(source))
        // Whisper's own vocabulary, of which GGML has only the text.
        let reference = try Vocabulary.load(folder: Fixtures.nano)
        for name in ["vocabulary.json", "tokenizer.json"] {
            let bytes = [UInt8](try Data(contentsOf: target.appendingPathComponent(name)))
            let tokens = name == "tokenizer.json" ? try Vocabulary(huggingFace: bytes) : try Vocabulary(json: bytes)
            #expect(tokens == reference, "\(name)")
        }
        let same = try ["vocabulary.json", "preprocessor_config.json"].map { name in
            try [target, Fixtures.nano].map { try Data(contentsOf: $0.appendingPathComponent(name)) }
        }
        #expect(same[0][0] == same[0][1], "the converter's own bytes")
        let features = try JSONSerialization.jsonObject(with: same[1][0]) as? NSDictionary
        #expect(try features == JSONSerialization.jsonObject(with: same[1][1]) as? NSDictionary)
    }

    @Test func generatedMergesEqualTheTokenizers() throws {
        struct Tokenizer: Decodable {
            struct Model: Decodable { var merges: [[String]] }
            var model: Model
        }
        let source = place("ggml-narrow.bin")
        try FormatAgreementTests.narrow.ggml(.q5_0).serialized().bytes.write(to: source)
        let (target, _) = try converted(source)
        let merges = try [target, Fixtures.nano].map { folder in
            try JSONDecoder().decode(
                Tokenizer.self, from: Data(contentsOf: folder.appendingPathComponent("tokenizer.json"))
            ).model.merges
        }
        #expect(merges[0].count == 50_000)
        #expect(merges[0] == merges[1])
    }

    /// The defaults of OpenAI's configurations for a file that lists nothing; what a file lists stays.
    @Test func suppressionLanguagesAndHeadsAreComplete() throws {
        struct Config: Decodable, Equatable {
            var suppress_ids: [Int], suppress_ids_begin: [Int], lang_ids: [Int], alignment_heads: [[Int]]
        }
        func config(_ folder: URL) throws -> Config {
            try JSONDecoder().decode(Config.self, from: Data(contentsOf: folder.appendingPathComponent("config.json")))
        }
        let ggml = place("ggml-narrow.bin")
        try FormatAgreementTests.narrow.ggml(.q8_0).serialized().bytes.write(to: ggml)
        let generated = try config(converted(ggml).0)
        let openAI = try config(EngineModels.bundledBase)
        #expect(generated.suppress_ids == openAI.suppress_ids && generated.suppress_ids.count == 88)
        #expect(generated.suppress_ids_begin == openAI.suppress_ids_begin)
        #expect(generated.lang_ids == openAI.lang_ids)
        #expect(generated.alignment_heads == [[1, 0]])
        // Converted again, the bundled model keeps the bytes of its configuration.
        #expect(try config(converted(EngineModels.bundledBase).0) == openAI)
    }

    @Test func aDestinationIsReplacedOnlyOnRequestAndOnlyIfItIsAModel() throws {
        try SmallModel.with { source in
            let target = place("model")
            try WhisperConversion.convert(source, to: target, precision: .float32)
            expectError(.outputFailed, says: "--force") {
                try WhisperConversion.convert(source, to: target, precision: .int8)
            }
            try WhisperConversion.convert(source, to: target, precision: .int8, replacing: true)
            #expect(try CTranslate2Package(folder: target).source.storedPrecision == "int8")
            // Other files, even next to a model.
            try folder.write("mine", to: "documents/letter.txt")
            try folder.write("mine", to: "model/notes.txt")
            try folder.write("ggml", to: "downloads/ggml-base.bin")
            for other in [place("documents"), place("documents/letter.txt"), target, place("downloads")] {
                expectError(.outputFailed, says: "does not replace it") {
                    try WhisperConversion.convert(source, to: other, precision: .int8, replacing: true)
                }
            }
            expectError(.invalidOption) {
                try WhisperConversion.convert(target, to: target, precision: .int8, replacing: true)
            }
            let kept = ["documents/letter.txt", "model/notes.txt", "downloads/ggml-base.bin"]
            #expect(try Set(kept).isSubset(of: folder.names()))
            #expect(try !folder.names().contains { $0.contains(".steno-") })
        }
    }

    @Test func aCancelledConversionLeavesNothing() throws {
        try SmallModel.with { source in
            let whole = Questions()
            try WhisperConversion.convert(source, to: place("whole"), precision: .int8, isCancelled: whole.ask)
            try FileManager.default.removeItem(at: place("whole"))
            #expect(whole.count > 20)
            for first in [1, 2, 3, whole.count / 2 + 1, whole.count] {
                let questions = Questions(yesFrom: first)
                expectError(.cancelled) {
                    try WhisperConversion.convert(
                        source, to: place("sub/cancelled"), precision: .int8, isCancelled: questions.ask)
                }
                #expect(try folder.names().allSatisfy { $0 == "sub" })
            }
        }
    }

    @Test func damagedSourcesLeaveNothing() throws {
        try SmallModel.with(change: { binary in
            var last = try #require(binary["encoder/layer_norm/gamma"])
            last.data.replaceSubrange(0..<4, with: [0, 0, 0xC0, 0x7F])
            binary["encoder/layer_norm/gamma"] = last
        }) { source in
            expectError(.modelDamaged) { try WhisperConversion.convert(source, to: place("model"), precision: .int8) }
        }
        try SmallModel.with(change: { binary in
            var large = try #require(binary["decoder/layer_norm/gamma"])
            large.data = withUnsafeBytes(of: Float(70_000)) { Data($0) } + large.data.dropFirst(4)
            binary["decoder/layer_norm/gamma"] = large
        }) { source in
            expectError(.modelUnsupported, says: "bfloat16") {
                try WhisperConversion.convert(source, to: place("model"), precision: .float16)
            }
            try WhisperConversion.convert(source, to: place("other"), precision: .bfloat16)
        }
        #expect(try folder.names().filter { !$0.hasPrefix("other") } == [])
    }

    @Test func progressCountsAllBytesAndTensors() throws {
        try SmallModel.with { source in
            var steps: [ConversionProgress] = []
            try WhisperConversion.convert(
                source, to: place("model"), precision: .int8, onProgress: { steps.append($0) })
            let last = try #require(steps.last)
            #expect(last.tensors == last.tensorCount - 1 && last.tensorCount == 43)
            #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.bytes <= $1.bytes && $0.tensors <= $1.tensors })
            let size = try place("model/model.bin").resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
            #expect(last.bytes <= size && last.byteCount <= size && last.byteCount > size * 9 / 10)
        }
    }
}
