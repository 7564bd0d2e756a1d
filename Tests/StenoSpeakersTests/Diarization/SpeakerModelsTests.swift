import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoSpeakers

/// The networks are found in a models folder, when both are there.
struct SpeakerModelsTests {
    private let folder = TemporaryFolder.ofSuite()

    private func models(_ name: String, _ files: [String]) throws -> URL {
        let root = folder.url.appendingPathComponent(name)
        let own = root.appendingPathComponent(SpeakerModels.folderName)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        for file in files { try Data("x".utf8).write(to: own.appendingPathComponent(file)) }
        return root
    }

    @Test func theFirstFolderWithBothFilesIsTaken() throws {
        let empty = folder.url.appendingPathComponent("empty")
        let whole = try models("whole", ["segmentation.safetensors", "campplus.safetensors"])
        let other = try models("other", ["segmentation.safetensors", "campplus.safetensors"])
        #expect(try SpeakerModels.find(in: [empty]) == nil)
        #expect(try SpeakerModels.find(in: [empty, whole, other])?.folder.path == whole.path + "/speakers")
    }

    @Test func oneFileOfTwoIsAnError() throws {
        let half = try models("half", ["segmentation.safetensors"])
        let error = #expect(throws: StenoError.self) { _ = try SpeakerModels.find(in: [half]) }
        #expect(error?.code == .modelDamaged)
        #expect(error?.message.contains("speakers/campplus.safetensors is missing") == true)
    }

    @Test func damagedNetworksAreAnError() throws {
        let damaged = try models("damaged", ["segmentation.safetensors", "campplus.safetensors"])
        let found = try #require(try SpeakerModels.find(in: [damaged]))
        #expect(throws: StenoError.self) { _ = try found.diarizer() }
    }

    @Test(.enabled(if: speakerNetworks != nil, "STENO_SPEAKER_NETWORKS does not name the folder of the weights"))
    func aSpeechHasOneSpeaker() throws {
        let diarizer = try SpeakerModels(folder: #require(speakerNetworks)).diarizer()
        let samples = try TestAudio.samplesOfPlainWAV(Fixtures.bundledSample("inaugural-1961.wav"))
        samples.withUnsafeBufferPointer { diarizer.append($0) }
        let found = diarizer.finish(counts: nil)
        #expect(found.voices.count == 1 && found.voices[0].embedding.values.count == CAMPlusModel.width)
        #expect(found.voices[0].seconds > 0.5 * Double(samples.count) / 16_000)
    }
}
