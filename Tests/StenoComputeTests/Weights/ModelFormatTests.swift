import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore

struct ModelFormatTests {
    static let heads: [(name: String, bytes: [UInt8])] = [
        ("ggml", Array("lmgg".utf8)), ("other", Array("GGUF".utf8)), ("other", Array("PK\u{3}\u{4}".utf8)),
        ("other", [0x80, 0x02]), ("safetensors", [200, 1, 0, 0, 0, 0, 0, 0, 0x7B]),
    ]

    /// The name of the format's case, without associated values.
    static func name(_ format: ModelFormat) -> String { String("\(format)".prefix { $0 != "(" }) }

    private let folder = TemporaryFolder.ofSuite()

    @Test func theContentDeterminesTheFormat() throws {
        for (name, head) in Self.heads {
            for file in ["model.bin", "ggml-base.bin", "model.safetensors", "large.pt"] {
                let folder = try TemporaryFolder()
                let url = folder.url.appendingPathComponent(file)
                try Data(head + [1, 2, 3]).write(to: url)
                #expect(Self.name(try .detect(at: url)) == name)
                #expect(Self.name(try .detect(at: folder.url)) == name)
            }
        }
        // An unrecognised model bin is left to c translate2.
        try folder.write("anything", to: "model.bin")
        #expect(try ModelFormat.detect(at: folder.url) == .cTranslate2(folder: folder.url))
    }

    /// The first bytes of a whisper.cpp model, and of a Silero file, which starts alike.
    static let whisperCpp = Data("lmgg".utf8) + Data([0x99, 0xCA, 0, 0])
    static let silero = Data("lmgg".utf8) + Data([10, 0, 0, 0]) + Data("silero-16k".utf8)

    @Test func aFolderWithOneGGMLModelIsThatModel() throws {
        let model = folder.url.appendingPathComponent("ggml-base.bin")
        try Self.whisperCpp.write(to: model)
        try Self.silero.write(to: folder.url.appendingPathComponent("ggml-silero.bin"))
        #expect(try ModelFormat.detect(at: folder.url) == .ggml(file: model))
        try Self.whisperCpp.write(to: folder.url.appendingPathComponent("ggml-tiny.bin"))
        expectError(.modelNotFound, says: "ggml-base.bin, ggml-tiny.bin") { try ModelFormat.detect(at: folder.url) }
    }

    @Test(arguments: ["model.safetensors", "model.safetensors.index.json"])
    func aHuggingFaceFolderHasWeightsAndAConfiguration(weights: String) throws {
        let file = folder.url.appendingPathComponent(weights)
        try Data([2, 0, 0, 0, 0, 0, 0, 0] + Array("{}".utf8)).write(to: file)
        // PyTorch's copy of the weights is often there too, and comes second.
        try Data("PK\u{3}\u{4}".utf8).write(to: folder.url.appendingPathComponent("pytorch_model.bin"))
        #expect(try ModelFormat.detect(at: folder.url) != .huggingFace(folder: folder.url))
        try folder.write("{}", to: "config.json")
        #expect(try ModelFormat.detect(at: folder.url) == .huggingFace(folder: folder.url))
        if weights.hasSuffix(".safetensors") {
            #expect(Self.name(try .detect(at: file)) == "huggingFace")
            let copy = folder.url.appendingPathComponent("other.safetensors")
            try FileManager.default.moveItem(at: file, to: copy)
            #expect(Self.name(try .detect(at: copy)) == "safetensors")
        }
    }

    /// Alone in a folder, such a file is what the folder holds.
    @Test(arguments: [
        ("parakeet.nemo", "anything", "a model of NVIDIA's NeMo"), ("parakeet.gguf", "GGUF.....", "a GGUF model"),
        ("large.pt", "PK\u{3}\u{4}.....", "a PyTorch checkpoint"),
    ]) func aFileThatIsNotReadIsNamed(name: String, content: String, kind: String) throws {
        let file = try folder.write(content, to: name)
        for url in [file, folder.url] {
            let format = try ModelFormat.detect(at: url)
            #expect(format == .other(file: file, kind: kind))
            #expect(!format.isSupported && format.folder == nil)
        }
    }

    @Test func aMissingModelIsNotFound() throws {
        for url in [
            folder.url, folder.url.appendingPathComponent("nowhere"), try folder.write("text", to: "notes.txt"),
        ] {
            expectError(.modelNotFound) { try ModelFormat.detect(at: url) }
        }
    }
}

/// The family that a model says it belongs to.
struct ModelIdentityTests {
    private let folder = TemporaryFolder.ofSuite()

    private func huggingFace(_ config: String) throws -> ModelIdentity {
        try folder.write(config, to: "hf/config.json")
        try folder.write("", to: "hf/model.safetensors")
        return try ModelIdentity(at: folder.url.appendingPathComponent("hf"))
    }

    private func cTranslate2(_ specification: String) throws -> ModelIdentity {
        var binary = ModelBinary([])
        binary.specification = specification
        try binary.serialized().bytes.write(to: folder.url.appendingPathComponent("model.bin"))
        return try ModelIdentity(at: folder.url)
    }

    @Test func aHuggingFaceFolderNamesItsType() throws {
        let identity = try huggingFace(#"{"model_type": "Wav2Vec2", "architectures": ["Wav2Vec2ForCTC"]}"#)
        #expect(identity.family == "wav2vec2")
        #expect(identity.format == .huggingFace(folder: folder.url.appendingPathComponent("hf")))
    }

    @Test(arguments: [("WhisperSpec", "whisper"), ("Wav2Vec2Spec", "wav2vec2"), ("Other", "other")])
    func aCTranslate2FileNamesItsSpecification(specification: String, family: String) throws {
        #expect(try cTranslate2(specification).family == family)
    }

    /// Reporting their errors is up to their reader.
    @Test func damagedAndMissingFilesNameNoFamily() throws {
        #expect(try huggingFace("{").family == nil)
        #expect(try huggingFace("{}").family == nil)
        try folder.write("not a model", to: "model.bin")
        #expect(try ModelIdentity(at: folder.url).family == nil)
        #expect(throws: StenoError.self) { try ModelIdentity(at: folder.url.appendingPathComponent("nothing")) }
    }
}
