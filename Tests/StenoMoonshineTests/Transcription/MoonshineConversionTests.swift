import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoMoonshine

struct MoonshineConversionTests {
    private let folder = TemporaryFolder.ofSuite()
    private let random: RandomMoonshine
    private let source: URL
    private let target: URL

    init() throws {
        random = try RandomMoonshine("whole-36")
        source = folder.url.appendingPathComponent("source")
        target = folder.url.appendingPathComponent("target")
        try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
        try random.write(to: source)
    }

    private func tokens(_ folder: URL, _ precision: Precision) throws -> [[Int]] {
        let state = try MoonshineModel.load(folder: folder, precision: precision, threads: 1).makeState()
        return try random.clips.map { clip in
            _ = try state.encode(clip.samples)
            return try state.decode(limit: 12).tokens.map(\.id)
        }
    }

    @Test func int8StoresMatricesAndHalvesConvolutions() throws {
        try MoonshineConversion.convert(source, to: target, precision: .int8)
        let weights = try SafetensorsFolder(folder: target)
        func format(_ name: String) throws -> StorageFormat? { try weights.tensor("model." + name)?.format }
        #expect(try format("decoder.embed_tokens.weight") == .int8)
        #expect(try format("encoder.layers.0.self_attn.q_proj.weight") == .int8)
        #expect(try format("encoder.conv1.weight") == .float32)
        #expect(try format("encoder.conv2.weight") == .float16)
        #expect(try format("decoder.norm.weight") == .float32)
        #expect(try MoonshineModel.load(folder: target).source.storedPrecision == "int8")
        let sizes = try [source, target].map { try SafetensorsFolder(folder: $0).byteCount }
        #expect(sizes[1] < sizes[0] / 2)
    }

    /// Rounded when it is stored or when it is loaded, a matrix has the same numbers.
    @Test func textsAreTheSame() throws {
        try MoonshineConversion.convert(source, to: target, precision: .int8)
        #expect(try tokens(target, .int8) == tokens(source, .int8))
        try MoonshineConversion.convert(source, to: target, precision: .float32, replacing: true)
        #expect(try tokens(target, .float32) == random.clips.map(\.tokens))
    }

    /// The folder's name is the only thing that says which language a published model knows.
    @Test func theLanguageIsKept() throws {
        let japanese = folder.url.appendingPathComponent("moonshine-tiny-ja")
        try FileManager.default.moveItem(at: source, to: japanese)
        try MoonshineConversion.convert(japanese, to: target, precision: .int8)
        #expect(try MoonshineSpeechModel.load(target).information.languages == ["ja"])
        #expect(try MoonshineModel.load(folder: target).configuration.width == 72)
    }

    @Test func otherModelsAndFoldersWithoutVocabularyAreRefused() throws {
        try FileManager.default.removeItem(at: source.appendingPathComponent("tokenizer.json"))
        expectError(.modelNotFound, says: "tokenizer.json") {
            try MoonshineConversion.convert(source, to: target, precision: .int8)
        }
        try folder.write(#"{"model_type": "whisper"}"#, to: "source/config.json")
        expectError(.modelUnsupported, says: "not a Moonshine model") {
            try MoonshineConversion.convert(source, to: target, precision: .int8)
        }
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }
}
