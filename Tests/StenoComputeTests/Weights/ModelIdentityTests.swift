import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore

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
    @Test func damagedFilesNameNoFamily() throws {
        #expect(try huggingFace("{").family == nil)
        #expect(try huggingFace("{}").family == nil)
        try folder.write("not a model", to: "model.bin")
        #expect(try ModelIdentity(at: folder.url).family == nil)
    }

    @Test func missingModelsHaveNoIdentity() throws {
        #expect(throws: StenoError.self) { try ModelIdentity(at: folder.url.appendingPathComponent("nothing")) }
    }
}
