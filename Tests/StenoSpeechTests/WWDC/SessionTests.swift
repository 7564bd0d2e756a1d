import Foundation
import StenoBundledModel
import StenoSpeech
import StenoTestSupport
import Testing

@testable import Steno

/// A program in the steps of WWDC25 session 277, call by call, with its file read in place of a microphone; it runs on the
/// bundled model and real speech.
@MainActor struct SessionTests {
    /// The bundled model, at a pace at which the text depends on the audio alone.
    private func environment() -> SpeechEnvironment {
        SpeechEnvironment(installer: ChosenModel(onThisMachine: .bundled), pace: .fast)
    }

    /// “Transcribe a file”.
    private func transcript(of file: AVAudioFile, _ locale: Locale) async throws -> AttributedString {
        let transcriber = SpeechTranscriber(locale: locale, preset: .offlineTranscription)
        async let whole = try transcriber.results.reduce("") { text, result in text + result.text }
        let analyzer = SpeechAnalyzer(modules: [transcriber])
        if let lastSample = try await analyzer.analyzeSequence(from: file) {
            try await analyzer.finalizeAndFinish(through: lastSample)
        } else {
            await analyzer.cancelAndFinishNow()
        }
        return try await whole
    }

    @Test func aFileIsTranscribed() async throws {
        let text = try await with(environment()) {
            let address = try BundledModel.samples.appendingPathComponent("inaugural-1961.wav")
            return try await transcript(of: try AVAudioFile(forReading: address), Locale(identifier: "en_US"))
        }
        // Without capitals and punctuation, which the model sets as it likes.
        #expect(
            text.plain.lowercased().filter { $0.isLetter || $0 == " " } == """
                and so my fellow americans ask not what your country can do for you ask what you can do for your country
                """)
    }

    /// “Set up”, “ensure the model”, “stream the audio”, “handle the results”, “finalise”, “deallocate”.
    @Test func liveAudioIsTranscribed() async throws {
        try await with(environment()) {
            let story = Story()
            try await story.setUp(Locale(identifier: "es_ES"))
            try await story.record(try AVAudioFile(forReading: Fixtures.file("real-speech/es_test_clip.wav")))
            try await story.stop()
            let said = "Esta es una grabación de LibriVox. Todas las grabaciones de LibriVox son del dominio público."
            #expect(story.finalized.plain == said)
            #expect(story.volatile.plain.isEmpty && story.volatileCount > 5)
            // Every word can be found by its time.
            let times = story.finalized.runs.compactMap(\.audioTimeRange)
            #expect(times.count == story.finalized.runs.count && times.count >= 15)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0.start <= $1.start })
            await story.deallocate()
            #expect(await AssetInventory.allocatedLocales.isEmpty)
        }
    }

    @Test func supportForTheCurrentLocaleIsConsistent() async throws {
        try await with(environment()) {
            let tag = Locale.current.identifier(.bcp47)
            let isSupported = await SpeechTranscriber.supportedLocales.contains { $0.identifier(.bcp47) == tag }
            let equivalent = await SpeechTranscriber.supportedLocale(equivalentTo: Locale.current)
            #expect(isSupported == (equivalent?.identifier(.bcp47) == tag))
        }
    }
}

/// A story, written while somebody reads it aloud.
@MainActor private final class Story {
    private(set) var finalized: AttributedString = ""
    private(set) var volatile: AttributedString = ""
    private(set) var volatileCount = 0

    private var transcriber: SpeechTranscriber?
    private var analyzer: SpeechAnalyzer?
    private var analyzerFormat: AVAudioFormat?
    private var inputSequence: AsyncStream<AnalyzerInput>?
    private var inputBuilder: AsyncStream<AnalyzerInput>.Continuation?
    private var downloadProgress: Progress?
    private var reading: Task<Void, any Error>?

    func setUp(_ locale: Locale) async throws {
        let transcriber = SpeechTranscriber(
            locale: locale, transcriptionOptions: [], reportingOptions: [.volatileResults],
            attributeOptions: [.audioTimeRange])
        self.transcriber = transcriber
        analyzer = SpeechAnalyzer(modules: [transcriber])
        analyzerFormat = await SpeechAnalyzer.bestAvailableAudioFormat(compatibleWith: [transcriber])
        try await ensureModel(transcriber, locale)
        (inputSequence, inputBuilder) = AsyncStream<AnalyzerInput>.makeStream()
        reading = Task { try await read(transcriber) }
        guard let inputSequence else { return }
        try await analyzer?.start(inputSequence: inputSequence)
    }

    private func ensureModel(_ transcriber: SpeechTranscriber, _ locale: Locale) async throws {
        let supported = await SpeechTranscriber.supportedLocales
        try #require(supported.map { $0.identifier(.bcp47) }.contains(locale.identifier(.bcp47)))
        let installed = await Set(SpeechTranscriber.installedLocales)
        guard !installed.map({ $0.identifier(.bcp47) }).contains(locale.identifier(.bcp47)) else { return }
        if let downloader = try await AssetInventory.assetInstallationRequest(supporting: [transcriber]) {
            downloadProgress = downloader.progress
            try await downloader.downloadAndInstall()
        }
    }

    private func read(_ transcriber: SpeechTranscriber) async throws {
        for try await result in transcriber.results {
            let text = result.text
            if result.isFinal {
                finalized += text
                volatile = ""
            } else {
                volatile = text
                volatileCount += 1
            }
        }
    }

    /// In place of the tap of an `AVAudioEngine`.
    func record(_ file: AVAudioFile) async throws {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 4096))
        #expect(analyzerFormat?.sampleRate == file.processingFormat.sampleRate)
        repeat {
            try file.read(into: buffer)
            inputBuilder?.yield(AnalyzerInput(buffer: buffer))
        } while buffer.frameLength > 0
    }

    func stop() async throws {
        inputBuilder?.finish()
        try await analyzer?.finalizeAndFinishThroughEndOfInput()
        try await reading?.value
    }

    func deallocate() async {
        for locale in await AssetInventory.allocatedLocales { await AssetInventory.deallocate(locale: locale) }
    }
}
