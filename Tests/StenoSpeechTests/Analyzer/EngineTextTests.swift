import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoSpeech

/// The analyzer adds nothing to the engine's text and takes nothing from it.
struct EngineTextTests {
    private static let recording = "sounds/norway.wav"

    private func samples() throws -> [Float] { try AudioFile.open(Fixtures.file(Self.recording)).allSamples() }

    @Test func aRecordingHasTheEnginesText() async throws {
        let transcriber = try await Transcriber.load(.bundled)
        let session = try await transcriber.live(
            .file(Fixtures.file(Self.recording)), options: LiveOptions(language: "en"))
        let events = session.events
        try await session.wait()
        let engine = await events.reduce(into: LiveTranscript()) { $0.apply($1) }
        #expect(!engine.finalText.isEmpty)

        let environment = SpeechEnvironment(installer: ChosenModel(onThisMachine: .bundled))
        let results = try await with(environment) {
            let module = SpeechTranscriber(locale: english, preset: .timeIndexedProgressiveTranscription)
            let analyzer = SpeechAnalyzer(modules: [module])
            let file = try AVAudioFile(forReading: Fixtures.file(Self.recording))
            let end = try await analyzer.analyzeSequence(from: file)
            try await analyzer.finalizeAndFinish(through: try #require(end))
            return try await module.results.all()
        }
        #expect(results.text == engine.finalText)
        // A mark at the end of an utterance has an empty range: in the engine's words it is part of the last one.
        let times = results.filter(\.isFinal).flatMap { $0.text.runs.compactMap(\.audioTimeRange) }
            .filter { $0.duration.seconds > 0 }
        let words = engine.finals.flatMap(\.words)
        #expect(times.count == words.count)
        #expect(zip(times, words).allSatisfy { abs($0.start.seconds - $1.start) < 0.001 })
    }

    /// The same decodings, so the same computation: only events are translated.
    @Test func theAnalyzerDecodesAsOftenAsTheEngine() async throws {
        let talk = SpokenLevels()
        let direct = LevelModel(), analyzed = LevelModel()
        let environment = SpeechEnvironment.scripted(analyzed)
        var options = environment.options
        options.language = "en"
        let engine = try ModelEngine(model: direct, options: options, pace: .fast)
        try await engine.start()
        for chunk in stride(from: 0, to: talk.samples.count, by: 1_600) {
            try await engine.append(Array(talk.samples[chunk..<min(talk.samples.count, chunk + 1_600)]))
        }
        try await engine.finish()
        let preset = SpeechTranscriber.Preset.progressiveTranscription
        try await with(environment, SpeechTranscriber(locale: english, preset: preset)) { _, analyzer in
            _ = try await analyzer.analyzeSequence(
                sequence(try inputs(talk.samples, format: .pcmFormatFloat32, interleaved: false)))
            try await analyzer.finalizeAndFinishThroughEndOfInput()
        }
        #expect(analyzed.requests.all == direct.requests.all)
    }

    @Test(.enabled(if: hasFFmpeg, "ffmpeg is not installed"))
    func contextualStringsSpellNames() async throws {
        let texts = try await with(SpeechEnvironment(installer: ChosenModel(onThisMachine: .bundled))) {
            var texts: [String] = []
            for words in [[], ["ComfyUI"]] {
                let module = transcriber()
                let analyzer = SpeechAnalyzer(modules: [module])
                let context = AnalysisContext()
                context.contextualStrings[.general] = words
                try await analyzer.setContext(context)
                let file = try AVAudioFile(forReading: Fixtures.file("real-speech/hotwords.mp3"))
                try await analyzer.start(inputAudioFile: file)
                try await analyzer.finalizeAndFinishThroughEndOfInput()
                texts.append(try await module.results.all().text)
            }
            return texts
        }
        #expect(!texts[0].contains("ComfyUI") && texts[1].contains("ComfyUI"), "\(texts)")
    }
}

/// A session leaves nothing behind: no task, no thread, no model, no object.
@Suite(.timeLimit(.minutes(10))) struct LeftoverTests {
    private enum Ending: CaseIterable { case finished, cancelled, failed, dropped }

    private struct Remains: Sendable {
        weak var analyzer: SpeechAnalyzer?
        weak var module: SpeechTranscriber?
        weak var model: LevelModel?

        var areGone: Bool { analyzer == nil && module == nil && model == nil }
    }

    @Test(arguments: Ending.allCases) private func nothingIsLeft(after ending: Ending) async throws {
        let gone = Milestone()
        let remains = try await session(ending, gone)
        // The engines hold the model until their threads have ended.
        await gone.wait(for: 0)
        // A task of the analyzer holds it until the task has returned.
        try await waitWhile(!remains.areGone)
        #expect(remains.areGone)
    }

    private func session(_ ending: Ending, _ gone: Milestone) async throws -> Remains {
        let model = LevelModel(goneWith: gone)
        let talk = SpokenLevels(utterances: [3])
        // Given away with its first loading.
        let given = Monitor<LevelModel?>(model)
        let installer = ScriptedInstaller(making: {
            let model = given.update { $0.take() }
            return try #require(model)
        })
        return try await with(SpeechEnvironment.scripted(installer, pace: .realTime)) {
            let module = SpeechTranscriber(locale: english, preset: .progressiveTranscription)
            let analyzer = SpeechAnalyzer(modules: [module])
            let (stream, input) = AsyncStream<AnalyzerInput>.makeStream()
            try await analyzer.start(inputSequence: stream)
            for part in try inputs(talk.samples) { input.yield(part) }
            try await analyzer.finalize(through: CMTime(value: 1, timescale: 1))
            switch ending {
            case .finished:
                input.finish()
                try await analyzer.finalizeAndFinishThroughEndOfInput()
            case .cancelled: await analyzer.cancelAndFinishNow()
            case .failed: input.yield(try inputs(talk.samples, rate: 8_000)[0])
            case .dropped: break
            }
            if ending == .failed { await #expect(throws: SFSpeechError.self) { _ = try await module.results.all() } }
            return Remains(analyzer: analyzer, module: module, model: model)
        }
    }
}

/// Reports of the range whose results can still change.
struct VolatileRangeTests {
    private typealias Change = (range: CMTimeRange, changedStart: Bool, changedEnd: Bool)

    @Test func theHandlerReportsWhatChanged() async throws {
        let preset = SpeechTranscriber.Preset.progressiveTranscription
        try await with(.scripted(), SpeechTranscriber(locale: english, preset: preset)) { _, analyzer in
            let talk = SpokenLevels(utterances: [2, 2])
            let (first, second) = (Recorder<Change>(), Recorder<Change>())
            for recorder in [first, second] {
                await analyzer.setVolatileRangeChangedHandler { recorder.add(($0, $1, $2)) }
            }
            _ = try await analyzer.analyzeSequence(sequence(try inputs(talk.samples)))
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            #expect(first.all.isEmpty, "it was replaced")
            let changes = second.all
            for (before, after) in zip(changes, changes.dropFirst()) {
                #expect(after.changedStart == (after.range.start != before.range.start))
                #expect(after.changedEnd == (after.range.end != before.range.end))
                #expect(after.changedStart || after.changedEnd)
            }
            #expect(changes.contains { $0.changedStart } && changes.contains { $0.changedEnd })
            #expect(abs((changes.last?.range.end.seconds ?? 0) - talk.seconds) < 0.001)
            #expect(await analyzer.volatileRange == changes.last?.range)
        }
    }

    /// With several modules it begins where the slowest of them is final.
    @Test func itBeginsWithTheAudioThatIsNotFinalInAllModules() {
        final class Module {}
        let (fast, slow, volatile) = (Module(), Module(), VolatileRange())
        for module in [fast, slow] { volatile.finalize(ObjectIdentifier(module), to: 0) }
        volatile.take(to: 64_000, origin: .zero)
        volatile.finalize(ObjectIdentifier(fast), to: 48_000)
        #expect(volatile.range?.start.seconds == 0)
        volatile.finalize(ObjectIdentifier(slow), to: 16_000)
        #expect(volatile.range?.start.seconds == 1)
        volatile.finalize(ObjectIdentifier(slow), to: 64_000)
        #expect(volatile.range?.start.seconds == 3)
        volatile.remove(ObjectIdentifier(fast))
        #expect(volatile.range?.start.seconds == 4 && volatile.range?.end.seconds == 4)
    }
}
