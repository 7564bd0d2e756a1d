import Foundation
import StenoModelStore
import StenoTestSupport
import Testing

@testable import StenoWhisperKit

@Suite(.timeLimit(.minutes(60))) struct WhisperKitDownloadTests {
    private func with<Value>(
        _ rig: DownloadRig, hasNetwork: Bool = true, _ body: () async throws -> Value
    ) async rethrows -> Value {
        let supply = ModelSupply<ModelFinder.Progress>(locator: rig.locator) { name, progress in
            try await rig.downloader(hasNetwork: hasNetwork).download(name, progress: progress)
        }
        return try await ModelFinder.$current.withValue(ModelFinder(supply), operation: body)
    }

    @Test func aMissingModelIsDownloadedOnceWithProgress() async throws {
        let rig = try DownloadRig(nano: "Systran/faster-whisper-tiny")
        let speech = try await Recordings.firstWords()
        let (recording, reports) = (speech.file, Recorder<Double>())
        let expected = try await DownloadRig.nanoText(recording)
        try await with(rig) {
            let folder = try await WhisperKit.download(variant: "openai_whisper-tiny") { progress in
                reports.add(progress.fractionCompleted)
                if progress.totalUnitCount != Int64(rig.size) { reports.add(-1) }
            }
            #expect(rig.differences() == [])
            let whisperKit = try await WhisperKit(WhisperKitConfig(modelFolder: folder.path, download: false))
            let results: [TranscriptionResult] = try await whisperKit.transcribe(audioPath: recording.path)
            #expect(results.map(\.text) == [expected])
        }
        #expect(reports.all.last == 1 && reports.all == reports.all.sorted())
        let requests = rig.server.requests.count
        try await with(rig, hasNetwork: false) { _ = try await WhisperKit(model: "tiny") }
        #expect(rig.server.requests.count == requests)
    }

    @Test func withoutANameTheStandardModelIsDownloaded() async throws {
        let rig = try DownloadRig(nano: "Systran/faster-whisper-base")
        try await with(rig) { _ = try await WhisperKit() }
        #expect(rig.differences() == [])
        try await with(rig, hasNetwork: false) { _ = try await WhisperKit() }
    }

    @Test func anUnreachableHubGivesAReadableError() async throws {
        let rig = try DownloadRig(nano: "Systran/faster-whisper-tiny")
        await with(rig, hasNetwork: false) {
            let error = await #expect(throws: WhisperError.self) { try await WhisperKit(model: "tiny") }
            #expect(error?.localizedDescription.contains("cannot be reached") == true)
            #expect(error?.localizedDescription.contains("127.0.0.1") == false)
        }
    }
}
