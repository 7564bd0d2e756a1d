import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

struct GGMLPackageTests {
    static let narrow = FormatAgreementTests.narrow
    /// In float32, since a test that is not optimised takes a second to quantise it.
    private static let file = Result { try narrow.ggml(.float32) }

    /// A model in one file, changed before it is written.
    static func with<Result>(
        _ change: (inout GGMLModelFile) throws -> Void = { _ in }, bytes damage: (inout Data) -> Void = { _ in },
        _ body: (URL) throws -> Result
    ) throws -> Result {
        var file = try Self.file.get()
        try change(&file)
        var bytes = file.serialized().bytes
        damage(&bytes)
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("ggml-narrow.bin")
        try bytes.write(to: url)
        return try body(url)
    }

    @Test func theVocabularyIsWhispers() throws {
        try Self.with { url in
            let model = try WhisperModel.load(folder: url, precision: .float32, threads: 1)
            let reference = try Tokenizer(vocabulary: Vocabulary.load(folder: Fixtures.nano))
            #expect(model.tokenizer.specialTokens == reference.specialTokens)
            #expect(model.tokenizer.nonSpeechTokens == reference.nonSpeechTokens)
            for text in [" Hello world, it's 1961!", "Grüße aus Zürich", " 日本語のテスト", "<|en|>\n\n  x"] {
                #expect(model.tokenizer.encode(text) == reference.encode(text))
                #expect(model.tokenizer.decode(model.tokenizer.encode(text)) == text)
            }
            #expect(model.isMultilingual && model.languages.count == 99)
        }
    }

    @Test func englishModelsHaveOneTokenLess() throws {
        var shape = Self.narrow.shape
        shape.vocabulary = 51_864
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("english.bin")
        try RandomModel(shape).ggml(.q8_0).serialized().bytes.write(to: url)
        let model = try WhisperModel.load(folder: url, threads: 1)
        #expect(!model.isMultilingual && model.languages == ["en"])
        #expect(model.tokenizer.specialTokens.endOfText == 50_256)
    }

    private struct Refusal: Sendable {
        var code: StenoError.Code?
        var part: String
        var change: @Sendable (inout GGMLModelFile) throws -> Void = { _ in }
        var damage: @Sendable (inout Data) -> Void = { _ in }
    }

    /// Where the number of tokens is: after the header and the mel filters.
    private static let tokens = 56 + 4 * 80 * 201

    private static let refusals = [
        Refusal(part: "51865", change: { $0.header[0] = 51_864 }),
        Refusal(part: "50255 text tokens", change: { $0.tokens.removeLast(2) }),
        Refusal(code: .modelDamaged, part: "", change: { $0.header[9] = 81 }),
        Refusal(part: "64 channels", change: { $0.header[3] = 2 }),
        Refusal(part: "no weights", change: { $0.tensors.removeAll() }),
        Refusal(part: "ends too early", damage: { $0.removeLast() }),
        // The number of bins of the mel filters, and of tokens.
        Refusal(part: "mel filters", damage: { $0[52] = 200 }),
        Refusal(part: "tokens", damage: { $0[tokens + 3] = 0x7F }),
        Refusal(part: "tokens", damage: { $0[tokens + 3] = 0xFF }),
        // Before more is read than any vocabulary has.
        Refusal(
            code: .modelDamaged, part: "lists 51866 tokens",
            change: { $0.tokens += Array(repeating: [], count: 51_866 - $0.tokens.count) }),
        Refusal(
            code: .modelDamaged, part: "token has 4097 bytes",
            change: { $0.tokens[0] = [UInt8](repeating: 0x20, count: 4097) }),
        // Silero, Parakeet, an old file, and the K-quantised blocks of llama.cpp as the type of the first tensor.
        Refusal(
            code: .modelUnsupported, part: "not of a Whisper model",
            damage: { $0.replaceSubrange(4..<8, with: [10, 0, 0, 0]) }),
        Refusal(code: .modelUnsupported, part: "not of a Whisper model", change: { $0.header[7] = 512 }),
        Refusal(code: .modelUnsupported, part: "Quantise the model again", change: { $0.header[10] = 2 }),
        Refusal(
            code: .modelUnsupported, part: "q4_K",
            damage: { bytes in
                if let whole = try? file.get().serialized() { bytes[whole.tables[1].lowerBound + 8] = 12 }
            }),
        Refusal(
            part: "60000 tokens",
            change: {
                var shape = narrow.shape
                shape.vocabulary = 60_000
                $0 = try RandomModel(shape).ggml(.float32)
            }),
    ]

    @Test(arguments: refusals.indices) func damagedAndOtherFilesAreRefused(index: Int) throws {
        let it = Self.refusals[index]
        try Self.with(it.change, bytes: it.damage) { url in
            let error = #expect(throws: StenoError.self) { try WhisperModel.load(folder: url, threads: 1) }
            #expect(it.code == nil || error?.code == it.code)
            #expect(error?.message.contains(it.part) == true || it.part.isEmpty, "\(it.part)")
        }
    }

    /// OpenAI's tables; other models have none.
    @Test func alignmentHeadsOfKnownModels() {
        func heads(_ vocabulary: Int, _ encoder: Int, _ decoder: Int, _ heads: Int, _ name: String = "") -> Int? {
            KnownAlignmentHeads.find(
                vocabularySize: vocabulary, encoderLayers: encoder, decoderLayers: decoder, heads: heads, name: name
            )?.count
        }
        #expect([heads(51_864, 4, 4, 6), heads(51_865, 4, 4, 6)] == [8, 6])
        #expect([heads(51_864, 6, 6, 8), heads(51_865, 6, 6, 8)] == [5, 8])
        #expect([heads(51_864, 12, 12, 12), heads(51_865, 12, 12, 12)] == [19, 10])
        #expect([heads(51_864, 24, 24, 16), heads(51_865, 24, 24, 16)] == [18, 6])
        #expect([heads(51_865, 32, 32, 20, "ggml-large-v1.bin"), heads(51_865, 32, 32, 20)] == [9, 23])
        #expect([heads(51_866, 32, 32, 20), heads(51_866, 32, 4, 20)] == [10, 6])
        #expect([heads(51_866, 32, 2, 20), heads(51_865, 1, 2, 1)] == [nil, nil])
    }
}

struct HuggingFacePackageTests {
    static let files = HuggingFaceModelFiles(SmallModel.model.tensors)

    static func configuration(
        _ config: [String: Any] = [:], generation: [String: Any]? = nil
    ) throws -> WhisperConfiguration {
        try SmallModel.withHuggingFace { folder in
            try? FileManager.default.removeItem(at: folder.appendingPathComponent("generation_config.json"))
            try files.writeConfiguration(to: folder, heads: 1, config: config, generation: generation)
            return try HuggingFacePackage(folder: folder).configuration
        }
    }

    @Test func theGenerationConfigurationTakesPrecedence() throws {
        let old = try Self.configuration(["suppress_tokens": [3, 4], "begin_suppress_tokens": [5]])
        #expect(old.suppressedTokens == [3, 4] && old.suppressedAtBegin == [5] && old.alignmentHeads == nil)
        let new = try Self.configuration(
            ["suppress_tokens": [3, 4], "begin_suppress_tokens": [5]],
            generation: ["begin_suppress_tokens": [6, 7], "alignment_heads": [[0, 0], [1, 2]]])
        #expect(new.suppressedTokens == [] && new.suppressedAtBegin == [6, 7])
        #expect(new.alignmentHeads == [AlignmentHead(layer: 0, head: 0), AlignmentHead(layer: 1, head: 2)])
        #expect([new.encoderHeads, new.decoderHeads, new.melCount] == [1, 1, 80])
        let null = try Self.configuration(generation: ["suppress_tokens": NSNull(), "alignment_heads": NSNull()])
        #expect(null.suppressedTokens == [] && null.alignmentHeads == nil)
    }

    /// A bare WhisperModel, and a file that has the output projection in place of the embedding that it is tied to.
    @Test func alternativeTensorNamesAreRead() throws {
        let embedding = "decoder.embed_tokens.weight"
        for (old, new) in [("\"model.", "\""), ("model." + embedding, "proj_out.weight")] {
            try SmallModel.withHuggingFace { folder in
                let url = folder.appendingPathComponent("model.safetensors")
                let (bytes, header) = Self.files.safetensors(Self.files.tensors)
                var text = String(decoding: bytes[8..<header.upperBound], as: UTF8.self)
                let length = text.utf8.count
                text = text.replacingOccurrences(of: old, with: new)
                text += String(repeating: " ", count: length - text.utf8.count)
                try (bytes.prefix(8) + Data(text.utf8) + bytes[header.upperBound...]).write(to: url)
                let package = try HuggingFacePackage(folder: folder)
                try FormatAgreementTests.expectTensors(package, SmallModel.model, \.values)
            }
        }
    }

    @Test func otherModelsAndMissingFilesAreNamed() throws {
        for (config, name) in [
            (["model_type": "wav2vec2", "architectures": ["Wav2Vec2ForCTC"]], "Wav2Vec2ForCTC"),
            (["model_type": "llama", "architectures": NSNull()], "llama"),
            (["activation_function": "relu"], "activation"),
            (["scale_embedding": true], "scaled"),
        ] as [([String: Any], String)] {
            expectError(.modelUnsupported, says: name) { try Self.configuration(config) }
        }
        for (name, code) in [
            ("tokenizer.json", StenoError.Code.modelNotFound), ("model.safetensors", .modelNotFound),
        ] {
            try SmallModel.withHuggingFace { folder in
                try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
                expectError(code, says: name) { try WhisperModel.load(folder: folder, threads: 1) }
            }
        }
        try SmallModel.withHuggingFace(parts: 2) { folder in
            try FileManager.default.removeItem(at: folder.appendingPathComponent("model-00002-of-00002.safetensors"))
            expectError(says: "model-00002-of-00002.safetensors") { try WhisperModel.load(folder: folder, threads: 1) }
        }
    }

    @Test func everyMissingTensorIsReported() throws {
        for tensor in Self.files.tensors where !tensor.name.hasSuffix("bias") {
            try SmallModel.withHuggingFace { folder in
                try HuggingFaceModelFiles(Self.files.tensors.filter { $0.name != tensor.name }).writeWeights(to: folder)
                let error = #expect(throws: StenoError.self) { try WhisperModel.load(folder: folder, threads: 1) }
                #expect([.modelDamaged, .modelUnsupported].contains(error?.code), "without \(tensor.name)")
            }
        }
    }

    @Test func damagedConfigurationsAreReported() throws {
        for (name, text) in [
            ("config.json", ""), ("config.json", "[]"), ("config.json", #"{"model_type": 1}"#),
            ("generation_config.json", #"{"suppress_tokens": "no"}"#), ("generation_config.json", "{"),
            ("preprocessor_config.json", #"{"feature_size": 128}"#), ("tokenizer.json", "{"),
            ("generation_config.json", #"{"suppress_tokens": [-1]}"#),
        ] {
            try SmallModel.withHuggingFace { folder in
                try Data(text.utf8).write(to: folder.appendingPathComponent(name))
                let error = #expect(throws: StenoError.self) { try WhisperModel.load(folder: folder, threads: 1) }
                #expect(error?.code == (text == #"{"model_type": 1}"# ? .modelDamaged : error?.code))
                #expect([.modelDamaged, .modelUnsupported].contains(error?.code), "\(name) \(text)")
            }
        }
    }

    @Test func theOlderVocabularyFilesAreRead() throws {
        try SmallModel.withHuggingFace { folder in
            let tokenizer = folder.appendingPathComponent("tokenizer.json")
            let expected = try Vocabulary.load(folder: folder)
            try FileManager.default.removeItem(at: tokenizer)
            try HuggingFaceModelFiles.writeVocabulary(SmallModel.vocabulary, to: folder, isOld: true)
            #expect(try Vocabulary.load(folder: folder) == expected)
            // Without the added tokens no special token has a name.
            try FileManager.default.removeItem(at: folder.appendingPathComponent("added_tokens.json"))
            expectError(.modelUnsupported) { try WhisperModel.load(folder: folder, threads: 1) }
            try Data("[1]".utf8).write(to: folder.appendingPathComponent("vocab.json"))
            #expect(throws: StenoError.self) { try Vocabulary.load(folder: folder) }
        }
    }
}
