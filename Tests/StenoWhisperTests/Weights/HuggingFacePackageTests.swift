import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

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

    @Test func otherModelFamiliesAreNamed() throws {
        for (config, name) in [
            (["model_type": "wav2vec2", "architectures": ["Wav2Vec2ForCTC"]], "Wav2Vec2ForCTC"),
            (["model_type": "llama", "architectures": NSNull()], "llama"),
            (["activation_function": "relu"], "activation"),
            (["scale_embedding": true], "scaled"),
        ] as [([String: Any], String)] {
            expectError(.modelUnsupported, says: name) { try Self.configuration(config) }
        }
    }

    @Test func missingFilesAreNamed() throws {
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
