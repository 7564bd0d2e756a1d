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
