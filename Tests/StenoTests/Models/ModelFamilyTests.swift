import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// The registry of families.
struct ModelFamilyTests {
    private let folder = TemporaryFolder.ofSuite()

    private func model(_ type: String) throws -> URL {
        try folder.write(#"{"model_type": "\#(type)"}"#, to: "config.json")
        try folder.write("", to: "model.safetensors")
        return folder.url
    }

    private let other = ModelFamily(name: "Other", identifiers: ["other", "another"], forms: "an other.bin") {
        _, _, _, _ in
        SecondFamilyModel()
    }

    @Test func aModelIsLoadedByItsFamily() throws {
        #expect(try ModelFamily.of(model("other"), among: [.whisper, other]).name == "Other")
        #expect(try ModelFamily.of(model("whisper"), among: [other, .whisper]).name == "Whisper")
        let loaded = try ModelFamily.load(Fixtures.nano, precision: .automatic, threads: 1, isCancelled: { false })
        #expect(loaded.information.family == "Whisper")
    }

    @Test func anUnknownFamilyIsRefusedWithAListOfKnownOnes() async throws {
        let url = try model("wav2vec2")
        await expectAsyncError(.modelUnsupported, says: url.path, "wav2vec2", "Whisper", "CTranslate2", "ggml-*.bin") {
            try await Transcriber.load(.folder(url))
        }
        expectError(says: "Other models: an other.bin") { try ModelFamily.of(url, among: [.whisper, other]) }
    }

    @Test(arguments: ["moonshine", "moonshine_streaming"]) func moonshineIsAFamily(type: String) throws {
        #expect(try ModelFamily.of(model(type)).name == "Moonshine")
    }

    @Test(arguments: ["whole-36", "streaming-16"]) func aMoonshineModelIsLoadedByItsFamily(name: String) throws {
        try RandomMoonshine(name).write(to: folder.url)
        let model = try ModelFamily.load(folder.url, precision: .automatic, threads: 1, isCancelled: { false })
        #expect(model.information.family == "Moonshine" && model.information.languages == ["en"])
        #expect(try model.measureRealTimeFactor { false } > 0)
        expectError(.cancelled) { try model.measureRealTimeFactor { true } }
    }

    /// A family that decodes one recording after the other is measured by its transcriptions.
    @Test func anyFamilyIsMeasured() throws {
        let model = SecondFamilyModel()
        #expect(try model.measureRealTimeFactor { false } > 0)
        expectError(.cancelled) { try model.measureRealTimeFactor { true } }
    }

    @Test func aMeasurementOfWhisperCanBeCancelled() throws {
        let model = try ModelFamily.load(Fixtures.nano, precision: .automatic, threads: 1, isCancelled: { false })
        expectError(.cancelled) { try model.measureRealTimeFactor { true } }
    }
}
