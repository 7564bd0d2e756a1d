import Foundation
import StenoTestSupport
import StenoWhisper
import Testing

@testable import Steno
@testable import StenoCore

/// The public API of the engine, on the nano model.
struct ModelEngineTests {
    let model: WhisperModel

    init() throws { model = try WhisperModel.load(folder: Fixtures.nano, threads: 2) }

    private func speech() throws -> [Float] { try AudioFile.open(Fixtures.file("sounds/norway.wav")).allSamples() }

    @Test func enginesShareAModelAndChunkSizesDoNotChangeTheText() async throws {
        let samples = try speech()
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for chunk in [160, 1600, 80_000] {
                group.addTask {
                    let engine = try ModelEngine(model: model, options: LiveOptions(language: "en"), pace: .fast)
                    return try await engine.events(hearing: samples) { chunk }.transcript.text
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(texts).count == 1 && !texts[0].isEmpty, "\(texts)")
    }

    @Test func theRealTimeEngineHearsEverythingToo() async throws {
        let engine = try ModelEngine(model: model, options: LiveOptions(language: "en"))
        let heard = try await engine.events(hearing: speech()).transcript
        #expect(heard.state == .finished && !heard.text.isEmpty && heard.partials.isEmpty)
        #expect(engine.statistics.decodings > 0)
    }

    /// Missing audio is reported in its place, and times remain those of the source.
    @Test func discontinuitiesAreReportedInPlace() async throws {
        let (stream, queue) = AudioStream.makeStream {}
        let second = [Float](repeating: 0, count: 16_000)
        let gap = AudioDiscontinuity(.skipped, position: 16_000, length: 640_000)
        queue.add(AudioChunk(position: 0, samples: second))
        queue.add(AudioChunk(position: 656_000, samples: second, discontinuities: [gap]))
        queue.finish()
        let engine = try ModelEngine(model: model, options: LiveOptions(language: "en"))
        let reader = engine.events
        try await engine.start()
        for try await chunk in stream { try await engine.append(chunk) }
        try await engine.finish()
        let events = await collect(reader)
        expectOrder(of: events)
        let place = try #require(events.first { $0.kind == .discontinuity })
        #expect(abs(place.position - 1) < 0.04)
        #expect(
            place.jsonLine.hasSuffix(
                #""position": \#(place.position), "kind": "skipped", "start": 1.0, "length": 40.0}"#))
        #expect(events.last?.position == 42 && engine.statistics.audioSeconds == 2)
    }

    @Test func anEngineTranscribesOneStream() async throws {
        let engine = try ModelEngine(model: model)
        await #expect(throws: StenoError.self) { try await engine.append([0]) }
        try await engine.start()
        await #expect(throws: StenoError.self) { try await engine.start() }
        try await engine.finish()
        await #expect(throws: StenoError.self) { try await engine.append([0]) }
        // A reader that comes after the end still gets the text and the state.
        #expect(await collect(engine.events).transcript.state == .finished)
        try await engine.finish()
    }

    @Test func cancellingEndsAtOnce() async throws {
        let engine = try ModelEngine(model: model, pace: .fast)
        try await engine.start()
        try await engine.append(try speech())
        await engine.cancel()
        #expect(await collect(engine.events).transcript.state == .cancelled)
        await #expect(throws: CancellationError.self) { try await engine.append([0]) }
    }

    @Test func wrongOptionsAreRefused() {
        #expect(throws: StenoError.self) { try ModelEngine(model: model, options: LiveOptions(language: "xx")) }
        let options = LiveOptions().with { $0.step = 0 }
        #expect(throws: StenoError.self) { try ModelEngine(model: model, options: options) }
    }
}

extension ModelEngine {
    /// All events of a recording that is appended in chunks, as fast as they are accepted.
    func events(hearing samples: [Float], chunk: () -> Int = { 1600 }) async throws -> [TranscriptionEvent] {
        let events = events(buffering: .unbounded)
        let reader = Task { await collect(events) }
        try await start()
        var position = 0
        while position < samples.count {
            let end = min(samples.count, position + chunk())
            try await append(Array(samples[position..<end]))
            position = end
        }
        try await finish()
        return await reader.value
    }
}

extension [TranscriptionEvent] {
    /// The transcript that a reader of all events has in the end.
    var transcript: LiveTranscript { reduce(into: LiveTranscript()) { $0.apply($1) } }
}

struct EngineRequestTests {
    @Test func thePrimaryLanguageHasNoRegion() {
        let languages = ["de-AT", "pt_BR", "zh-Hant-TW", "en", nil].map { EngineRequest(language: $0).primaryLanguage }
        #expect(languages == ["de", "pt", "zh", "en", nil])
    }

    @Test func aRequestHasSettingsAndALocale() {
        let request = EngineRequest(language: "de", task: .translate, vocabulary: ["Zwettl", "Steno"])
        #expect(request.settings == SpeechSettings(language: "de", task: .translate, vocabulary: ["Zwettl", "Steno"]))
        #expect(EngineRequest().settings == SpeechSettings())
        let locale = EngineRequest(language: "de-AT").locale
        #expect(locale?.language.languageCode == .german && locale?.language.region == .austria)
        #expect(EngineRequest().locale == nil)
    }

    @Test func theRequestOverridesTheOptions() {
        let options = LiveOptions(language: "fr", task: .translate).with {
            ($0.vocabulary, $0.prompt, $0.switchesLanguage, $0.step) = (["Paris"], "Bonjour.", true, 0.7)
        }
        let model = model(Set(TranscriptionOptions.Name.allCases))
        let same = options.merging(EngineRequest(task: .translate), for: model)
        #expect(same == options)

        let request = EngineRequest(language: "de-AT", vocabulary: ["Zwettl", "Grüner Veltliner"])
        let merged = options.merging(request, for: model)
        #expect(merged.language == "de" && !merged.switchesLanguage && merged.task == .transcribe)
        #expect(merged.vocabulary == ["Zwettl", "Grüner Veltliner"] && merged.prompt == "Bonjour.")
        #expect(merged.step == 0.7)
        // A name is left to the model.
        #expect(options.merging(EngineRequest(language: "German"), for: model).language == "German")
        // The caller does not know which model gets the request: options that it lacks are left out.
        let fewer = LiveOptions().merging(request, for: self.model([]))
        #expect(fewer.language == "de" && fewer.vocabulary.isEmpty)
    }

    private func model(_ options: Set<TranscriptionOptions.Name>) -> SpeechModelInformation {
        var model = SecondFamilyModel(options: options).information
        model.languages = Languages.all.map(\.code)
        return model
    }
}
