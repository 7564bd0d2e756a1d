import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoWhisperKit

@Suite(.timeLimit(.minutes(60))) struct ModelLifeTests {
    @Test func unloadedModelsAreFreedAndReloadedOnDemand() async throws {
        let whisperKit = try await WhisperKit(WhisperKitConfig(modelFolder: Fixtures.nano.path))
        #expect(whisperKit.modelState == .loaded && whisperKit.modelFolder?.path == Fixtures.nano.path)
        weak var first: Transcriber?
        do { first = try await whisperKit.model.loaded() }
        #expect(first != nil)
        await whisperKit.unloadModels()
        #expect(first == nil)
        #expect(whisperKit.modelState == .unloaded && whisperKit.modelState.description == "Unloaded")
        let samples = try await decoded(Recordings.sentence)
        let results: [TranscriptionResult] = try await whisperKit.transcribe(audioArray: samples)
        Recordings.expectSentence(try #require(results.first).text)
        #expect(whisperKit.modelState == .loaded)
        await whisperKit.unloadModels()
        try await whisperKit.prewarmModels()
        #expect(whisperKit.modelState == .loaded)
        // Streams reload it too.
        await whisperKit.unloadModels()
        let transcriber = AudioStreamTranscriber(whisperKit, source: .file(Recordings.sentence))
        let states = transcriber.states
        try await transcriber.startStreamTranscription()
        let last = try #require(await states.reduce(nil) { $1 })
        Recordings.expectSentence(last.confirmedSegments.map(\.text).joined())
    }

    @Test func loadingCanBeDeferred() async throws {
        let whisperKit = try await WhisperKit(WhisperKitConfig(load: false, download: false))
        #expect(whisperKit.modelState == .unloaded && whisperKit.tokenizer == nil && whisperKit.modelFolder == nil)
        whisperKit.modelFolder = Fixtures.nano
        try await whisperKit.loadModels()
        #expect(whisperKit.modelState == .loaded && whisperKit.tokenizer != nil)
        whisperKit.modelFolder = URL(fileURLWithPath: "/no/such/model")
        await #expect(throws: WhisperError.self) { try await whisperKit.loadModels() }
    }

    private let began = AsyncGate()
    private let loading = AsyncGate()
    private let loads = Recorder<String>()

    /// A model whose loading a test controls.
    private func slot(_ folder: URL? = nil) -> ModelSlot {
        ModelSlot(folder: folder) { [began, loading, loads] folder in
            loads.add(folder?.path ?? "none")
            began.open()
            await loading.wait()
            return (Transcriber(model: SecondFamilyModel()), folder)
        }
    }

    @Test func concurrentCallsLoadOnce() async throws {
        let slot = slot()
        async let first = slot.loaded()
        await began.wait()
        async let second = slot.loaded()
        try await waitWhile(slot.callers < 2)
        #expect(slot.state == .loading)
        loading.open()
        #expect(try await first === second)
        #expect(loads.all == ["none"] && slot.state == .loaded && slot.callers == 0)
    }

    @Test func cancelledCallsLeaveTheModelLoadingForOthers() async throws {
        let slot = slot()
        let first = Task { try await slot.loaded() }
        await began.wait()
        async let second = slot.loaded()
        try await waitWhile(slot.callers < 2)
        first.cancel()
        _ = await first.result
        #expect(slot.state == .loading && slot.callers == 1)
        loading.open()
        _ = try await second
        #expect(slot.state == .loaded && slot.callers == 0)
    }

    @Test func foldersSetDuringLoadingApplyToTheNextModel() async throws {
        let slot = slot(URL(fileURLWithPath: "/a"))
        async let first = slot.loaded()
        await began.wait()
        slot.folder = URL(fileURLWithPath: "/b")
        loading.open()
        let old = try await first
        #expect(slot.folder?.path == "/b" && slot.state == .unloaded)
        let new = try await slot.loaded()
        #expect(new !== old && loads.all == ["/a", "/b"] && slot.folder?.path == "/b")
    }

    @Test func availableModelsAreListed() async throws {
        let all = try await WhisperKit.fetchAvailableModels()
        #expect(all.contains("tiny") && all.contains("turbo"))
        for name in all { #expect(try WhisperKitModelName(name).stenoName() == name) }
        let large = try await WhisperKit.fetchAvailableModels(matching: ["openai_whisper-large*", "base.en"])
        #expect(large == ["base.en", "large-v1", "large-v2", "large-v3"])
        #expect(try await WhisperKit.fetchAvailableModels(matching: ["huge*"]).isEmpty)
    }

    @Test func languagesOfSamplesAndFilesAreDetected() async throws {
        let whisperKit = try await WhisperKit(WhisperKitConfig(modelFolder: Fixtures.nano.path))
        let samples = try await decoded(Recordings.sentence)
        let detections = [
            try await whisperKit.detectLanguage(audioPath: Recordings.sentence.path),
            try await whisperKit.detectLanguage(audioArray: samples),
            try await whisperKit.detectLangauge(audioArray: samples),
        ]
        for (language, logarithms) in detections {
            #expect(language == "en")
            #expect(logarithms["en"] == logarithms.values.max())
            let sum: Float = logarithms.values.reduce(0) { $0 + exp($1) }
            #expect(abs(sum - 1) < 1e-3)
        }
        await #expect(throws: WhisperError.self) { try await whisperKit.detectLanguage(audioPath: "/no/such.wav") }
        await #expect(throws: WhisperError.self) { try await whisperKit.detectLanguage(audioArray: [.nan]) }
    }
}

struct WhisperKitModelNameTests {
    @Test(arguments: [
        ("tiny", "tiny"), ("openai_whisper-base.en", "base.en"), ("small_216MB", "small"),
        ("large-v3-v20240930_626MB", "turbo"), ("openai_whisper-large-v3-v20240930", "turbo"),
        ("large-v3_turbo", "large-v3"), ("large-v3_947MB", "large-v3"), ("large-v2_turbo_955MB", "large-v2"),
        ("distil-whisper_distil-large-v3_594MB", "distil-large-v3"), ("distil*large-v3", "distil-large-v3"),
        ("med*.en", "medium.en"), ("openai/whisper-large-v1", "large-v1"), ("my-own", "my-own"),
    ])
    func aNameStandsForAModel(name: String, expected: String) throws {
        #expect(try WhisperKitModelName(name).stenoName() == expected)
    }

    @Test(arguments: ["*", "large*", "huge*"])
    func aPatternMustFitOneModel(name: String) {
        #expect(throws: WhisperError.self) { try WhisperKitModelName(name).stenoName() }
    }
}
