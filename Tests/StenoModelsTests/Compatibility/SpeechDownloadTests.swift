import Foundation
import Steno
import StenoModelStore
import StenoTestSupport
import Testing

@testable import StenoSpeech

@Suite(.timeLimit(.minutes(60))) struct SpeechDownloadTests {
    private let rig: DownloadRig
    private let english = Locale(identifier: "en-US")

    init() throws { rig = try DownloadRig(nano: "Systran/faster-whisper-base") }

    private func with(hasNetwork: Bool = true, _ body: () async throws -> Void) async rethrows {
        let supply = ChosenModel.Supply(locator: rig.locator) { [rig] name, progress in
            try await rig.downloader(hasNetwork: hasNetwork).download(name) { progress(AssetProgress($0)) }
        }
        let hub = ChosenModel(supply: supply)
        try await SpeechEnvironment.$current.withValue(SpeechEnvironment(installer: hub), operation: body)
    }

    @Test func aMissingModelIsInstalledOnceWithProgress() async throws {
        let reports = Recorder<Double>()
        try await with {
            let transcriber = SpeechTranscriber(locale: english, preset: .offlineTranscription)
            #expect(await AssetInventory.status(forModules: [transcriber]) == .supported)
            let request = try #require(try await AssetInventory.assetInstallationRequest(supporting: [transcriber]))
            rig.server.observe { [progress = request.progress] _ in reports.add(progress.fractionCompleted) }
            try await request.downloadAndInstall()
            rig.server.observe(nil)
            #expect(request.progress.fractionCompleted == 1)
            #expect(await AssetInventory.status(forModules: [transcriber]) == .installed)
        }
        #expect(rig.differences() == [])
        #expect(reports.all == reports.all.sorted() && reports.all.contains { $0 > 0 && $0 < 1 })
        let requests = rig.server.requests.count
        try await with(hasNetwork: false) {
            let transcriber = SpeechTranscriber(locale: english, preset: .offlineTranscription)
            #expect(try await AssetInventory.assetInstallationRequest(supporting: [transcriber]) == nil)
            let analyzer = SpeechAnalyzer(modules: [transcriber])
            async let text = transcriber.results.reduce("") { $0 + String($1.text.characters) }
            // A sentence that the test model knows.
            let speech = try AVAudioFile(forReading: Fixtures.file("sounds/tomorrow.wav"))
            let last = try await analyzer.analyzeSequence(from: speech)
            try await analyzer.finalizeAndFinish(through: try #require(last))
            #expect(try await text.trimmingCharacters(in: .whitespaces) == "Tomorrow is Friday.")
        }
        #expect(rig.server.requests.count == requests)
    }

    @Test func anUnreachableHubGivesAReadableError() async throws {
        try await with(hasNetwork: false) {
            let transcriber = SpeechTranscriber(locale: english, preset: .offlineTranscription)
            let request = try #require(try await AssetInventory.assetInstallationRequest(supporting: [transcriber]))
            let error = await #expect(throws: SFSpeechError.self) { try await request.downloadAndInstall() }
            #expect(error?.code == .noModel && error?.message.contains("cannot be reached") == true)
            #expect(await AssetInventory.status(forModules: [transcriber]) == .supported)
        }
    }
}
