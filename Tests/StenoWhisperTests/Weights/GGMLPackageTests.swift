import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

struct GGMLPackageTests {
    static let narrow = FormatAgreementTests.narrow

    /// A model in one file, changed before it is written.
    static func with<Result>(
        _ change: (inout GGMLModelFile) -> Void = { _ in }, bytes damage: (inout Data) -> Void = { _ in },
        _ body: (URL) throws -> Result
    ) throws -> Result {
        var file = try narrow.ggml(.q4_0)
        change(&file)
        var bytes = file.serialized().bytes
        damage(&bytes)
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("ggml-narrow.bin")
        try bytes.write(to: url)
        return try body(url)
    }

    static func failure(
        _ change: (inout GGMLModelFile) -> Void = { _ in }, bytes: (inout Data) -> Void = { _ in }
    ) throws -> StenoError? {
        try with(change, bytes: bytes) { url in
            #expect(throws: StenoError.self) { try WhisperModel.load(folder: url, threads: 1) }
        }
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

    @Test func damagedFilesAreErrors() throws {
        #expect(try Self.failure { $0.header[0] = 51_864 }?.message.contains("51865") == true)
        #expect(try Self.failure { $0.tokens.removeLast(2) }?.message.contains("50255 text tokens") == true)
        #expect(try Self.failure { $0.header[9] = 81 }?.code == .modelDamaged)
        #expect(try Self.failure { $0.header[3] = 2 }?.message.contains("64 channels") == true)
        #expect(try Self.failure { $0.tensors.removeAll() }?.message.contains("no weights") == true)
        #expect(try Self.failure(bytes: { $0.removeLast() })?.message.contains("ends too early") == true)
        // The number of bins of the mel filters, and of tokens.
        #expect(try Self.failure(bytes: { $0[52] = 200 })?.message.contains("mel filters") == true)
        let tokens = 56 + 4 * 80 * 201
        #expect(try Self.failure(bytes: { $0[tokens + 3] = 0x7F })?.message.contains("tokens") == true)
        #expect(try Self.failure(bytes: { $0[tokens + 3] = 0xFF })?.message.contains("tokens") == true)
    }

    /// Before more is read than any vocabulary has.
    @Test func oversizedVocabulariesAreRefused() throws {
        let tooMany = try Self.failure { $0.tokens += Array(repeating: [], count: 51_866 - $0.tokens.count) }
        #expect(tooMany?.code == .modelDamaged && tooMany?.message.contains("lists 51866 tokens") == true)
        let tooLong = try Self.failure { $0.tokens[0] = [UInt8](repeating: 0x20, count: 4097) }
        #expect(tooLong?.code == .modelDamaged && tooLong?.message.contains("token has 4097 bytes") == true)
    }

    @Test func otherModelsAndVersionsAreRefused() throws {
        let silero = try Self.failure(bytes: { $0.replaceSubrange(4..<8, with: [10, 0, 0, 0]) })
        #expect(silero?.code == .modelUnsupported && silero?.message.contains("not of a Whisper model") == true)
        let parakeet = try Self.failure { $0.header[7] = 512 }
        #expect(parakeet?.code == .modelUnsupported && parakeet?.message.contains("not of a Whisper model") == true)
        let old = try Self.failure { $0.header[10] = 2 }
        #expect(old?.code == .modelUnsupported && old?.message.contains("Quantise the model again") == true)
        // The type of the first tensor: the K-quantised blocks of llama.cpp.
        let file = try Self.narrow.ggml(.q4_0).serialized()
        let kQuantised = try Self.failure(bytes: { $0[file.tables[1].lowerBound + 8] = 12 })
        #expect(kQuantised?.code == .modelUnsupported && kQuantised?.message.contains("q4_K") == true)
        var shape = Self.narrow.shape
        shape.vocabulary = 60_000
        let other = RandomModel(shape)
        #expect(try Self.failure { $0 = (try? other.ggml(.q4_0)) ?? $0 }?.message.contains("60000 tokens") == true)
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
