import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoSpeech

/// Several modules, inputs of every kind, and one timeline.
struct SpeechAnalyzerTests {
    private let talk = SpokenLevels()

    private func transcriber(
        _ locale: Locale = english, _ reporting: Set<SpeechTranscriber.ReportingOption> = []
    ) -> SpeechTranscriber {
        SpeechTranscriber(
            locale: locale, transcriptionOptions: [], reportingOptions: reporting, attributeOptions: [.audioTimeRange])
    }

    private func text(_ inputs: [AnalyzerInput]) async throws -> String {
        try await with(.scripted(), transcriber()) { module, analyzer in
            try await analyzer.start(inputSequence: sequence(inputs))
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            return try await module.results.all().text
        }
    }

    @Test func severalModulesHaveOneTimeline() async throws {
        try await with(.scripted()) {
            let (first, second) = (transcriber(english, [.volatileResults]), transcriber(german))
            let detector = SpeechDetector(detectionOptions: .init(sensitivityLevel: .medium), reportResults: true)
            let analyzer = SpeechAnalyzer(modules: [first, detector, second])
            let start = CMTime(value: 1_000, timescale: 1)
            let end = try await analyzer.analyzeSequence(sequence(try inputs(talk.samples, from: start)))
            #expect(end == start + CMTime(value: Int64(talk.samples.count), timescale: 16_000))
            try await analyzer.finalizeAndFinish(through: try #require(end))

            let (en, de) = (try await first.results.all(), try await second.results.all())
            #expect(en.text == talk.text() && de.text == talk.text(language: "de"))
            #expect(en.contains { !$0.isFinal } && de.allSatisfy(\.isFinal))
            for results in [en, de] { expectOrder(results) }
            let words = en.filter(\.isFinal).flatMap { $0.text.runs.compactMap(\.audioTimeRange) }
            #expect(words.count == talk.starts.count)
            for (word, begin) in zip(words, talk.starts) { #expect(abs(word.start.seconds - 1_000 - begin) < 0.07) }

            let speech = try await detector.results.all().filter(\.isFinal)
            #expect(speech.map(\.speechDetected) == [false, true, false, true, false, true, false])
            #expect(zip(speech, speech.dropFirst()).allSatisfy { $0.range.end == $1.range.start })
            #expect(speech.first?.range.start == start && speech.last?.range.end == end)
        }
    }

    /// Final ranges follow each other, and results are final when later ones are.
    private func expectOrder(_ results: [SpeechTranscriber.Result]) {
        for (before, after) in zip(results, results.dropFirst()) {
            #expect(before.resultsFinalizationTime <= after.resultsFinalizationTime)
            #expect(!before.isFinal || after.range.start >= before.range.end)
        }
    }

    @Test func aDetectorNeedsNoTranscriberAndNoModel() async throws {
        try await with(.scripted(ScriptedInstaller(LevelModel(), isInstalled: false))) {
            let detector = SpeechDetector(detectionOptions: .init(sensitivityLevel: .high), reportResults: true)
            let analyzer = SpeechAnalyzer(modules: [detector, SpeechDetector()])
            _ = try await analyzer.analyzeSequence(sequence(try inputs(talk.samples)))
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            #expect(try await detector.results.all().count { $0.speechDetected && $0.isFinal } == 3)
        }
    }

    @Test func modulesComeAndGoInMidStream() async throws {
        try await with(.scripted()) {
            let (first, second) = (transcriber(), transcriber(german))
            let analyzer = SpeechAnalyzer(modules: [first])
            let half = Int(talk.starts[3] * 16_000) - 8_000
            _ = try await analyzer.analyzeSequence(sequence(try inputs(Array(talk.samples[..<half]))))
            try await analyzer.setModules([second])
            // The removed module has ended, with all of its text.
            #expect(try await first.results.all().text == talk.text(0..<3))
            _ = try await analyzer.analyzeSequence(sequence(try inputs(Array(talk.samples[half...]))))
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            let results = try await second.results.all()
            #expect(results.text == talk.text(3..<9, language: "de"))
            #expect(abs((results.first?.range.start.seconds ?? 0) - talk.starts[3]) < 0.07)
        }
    }

    @Test(arguments: [
        (8_000.0, 1, AVAudioCommonFormat.pcmFormatInt16, true), (16_000, 1, .pcmFormatFloat32, false),
        (44_100, 2, .pcmFormatFloat32, false), (48_000, 2, .pcmFormatInt16, true), (48_000, 1, .pcmFormatInt32, true),
    ])
    func everyFormatIsTaken(_ format: (rate: Double, channels: Int, samples: AVAudioCommonFormat, interleaved: Bool))
        async throws
    {
        let talk = SpokenLevels(utterances: [3, 2])
        let count = Int(talk.seconds * format.rate)
        let samples = (0..<count).map { talk.samples[Int(Double($0) / format.rate * 16_000)] }
        let inputs = try inputs(
            samples, rate: format.rate, channels: format.channels, format: format.samples,
            interleaved: format.interleaved)
        #expect(try await text(inputs) == talk.text())
    }

    @Test func inputsHaveStartTimesAndGaps() async throws {
        try await with(.scripted(), transcriber()) { module, analyzer in
            let half = Int(talk.starts[3] * 16_000) - 8_000
            let later = CMTime(value: 3_600, timescale: 1)
            let all =
                try inputs(Array(talk.samples[..<half]), from: CMTime(value: 5, timescale: 1))
                + inputs(Array(talk.samples[half...]), from: later)
            let end = try await analyzer.analyzeSequence(sequence(all))
            try await analyzer.finalizeAndFinish(through: try #require(end))
            let results = try await module.results.all()
            #expect(results.text == talk.text())
            let starts = results.flatMap { $0.text.runs.compactMap(\.audioTimeRange?.start.seconds) }
            let expected = talk.starts[..<3].map { $0 + 5 } + talk.starts[3...].map { $0 - talk.starts[3] + 3_600.5 }
            #expect(zip(starts, expected).allSatisfy { abs($0 - $1) < 0.07 }, "\(starts) \(expected)")
        }
    }

    @Test func inputsFollowEachOther() async throws {
        try await with(.scripted(), transcriber()) { module, analyzer in
            let (one, two) = (SpokenLevels(utterances: [2]), SpokenLevels(utterances: [3]))
            _ = try await analyzer.analyzeSequence(sequence(try inputs(one.samples)))
            // Another format, without a start time.
            let end = try await analyzer.analyzeSequence(
                sequence(try inputs(two.samples, format: .pcmFormatFloat32, interleaved: false)))
            #expect(abs((end?.seconds ?? 0) - one.seconds - two.seconds) < 0.001)
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            #expect(try await module.results.all().text == one.text() + " " + two.text())
        }
        // An empty one has no end.
        try await with(.scripted(), transcriber()) { module, analyzer in
            #expect(try await analyzer.analyzeSequence(sequence([])) == nil)
            #expect(await analyzer.volatileRange == nil)
            try await analyzer.finalize(through: nil)
            await analyzer.cancelAndFinishNow()
            #expect(try await module.results.all().isEmpty)
        }
    }

    @Test func anAnalyzerStartsByItself() async throws {
        try await with(.scripted()) {
            let module = transcriber()
            let context = AnalysisContext()
            context.contextualStrings = [.general: ["Zwettl"]]
            let ranges = Recorder<CMTimeRange>()
            let analyzer = SpeechAnalyzer(
                inputSequence: sequence(try inputs(talk.samples)), modules: [module], analysisContext: context
            ) { range, _, _ in ranges.add(range) }
            var text = ""
            for try await result in module.results {
                text += result.text.plain
                if result.text.plain.contains("w8") { break }
            }
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            #expect(text == talk.text().replacing("w1", with: "Zwettl"))
            #expect(zip(ranges.all, ranges.all.dropFirst()).allSatisfy { $0.start <= $1.start && $0.end <= $1.end })
            #expect(abs((ranges.all.last?.end.seconds ?? 0) - talk.seconds) < 0.001)
        }
    }

    /// Even if none of it was read when the analyzer is asked to finish.
    @Test func theInputOfAnAnalyzerIsReadToItsEnd() async throws {
        let talk = SpokenLevels(utterances: [2])
        for _ in seeds(20) {
            try await with(.scripted()) {
                let module = transcriber()
                let analyzer = SpeechAnalyzer(inputSequence: sequence(try inputs(talk.samples)), modules: [module])
                try await analyzer.finalizeAndFinishThroughEndOfInput()
                #expect(try await module.results.all().text == talk.text())
            }
        }
    }

    @Test func aFileIsAnalysedFromItsPosition() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("talk.wav")
        try AudioFile.write(samples: talk.samples, to: url)
        try await with(.scripted()) {
            for (position, words) in [(0, 0..<9), (talk.starts[3] - 0.5, 3..<9)] {
                let module = transcriber()
                let file = try AVAudioFile(forReading: url)
                file.framePosition = AVAudioFramePosition(position * 16_000)
                let analyzer = try await SpeechAnalyzer(inputAudioFile: file, modules: [module], finishAfterFile: true)
                let results = try await module.results.all()
                #expect(results.text == talk.text(words))
                #expect(
                    abs((results.first?.range.start.seconds ?? 0) - talk.starts[words.lowerBound] + position) < 0.07)
                await analyzer.cancelAndFinishNow()
            }
            let beyond = try AVAudioFile(forReading: url)
            beyond.framePosition = .max
            #expect(try await SpeechAnalyzer(modules: [transcriber()]).analyzeSequence(from: beyond) == nil)
        }
    }

    @Test func preparingReportsItsProgress() async throws {
        let installer = ScriptedInstaller(LevelModel())
        try await with(.scripted(installer)) {
            let module = transcriber()
            let analyzer = SpeechAnalyzer(modules: [module, SpeechDetector()])
            let progress = Monitor<Progress?>(nil)
            try await analyzer.prepareToAnalyze(in: nil) { progress.current = $0 }
            #expect(progress.current?.fractionCompleted == 1 && installer.loads.all.count == 1)
            let format = await SpeechAnalyzer.bestAvailableAudioFormat(compatibleWith: [module])
            let usual = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true)
            #expect(format == usual)
            let natural = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)
            #expect(
                await SpeechAnalyzer.bestAvailableAudioFormat(compatibleWith: [module], considering: natural) == natural
            )
            await analyzer.cancelAndFinishNow()
        }
    }

    @Test func contextualStringsBiasTheDecoding() async throws {
        let model = LevelModel()
        try await with(.scripted(model), transcriber()) { module, analyzer in
            let context = AnalysisContext()
            context.contextualStrings = [.general: ["Zwettl"], .init("places"): ["Krems"]]
            try await analyzer.setContext(context)
            #expect(await analyzer.context === context)
            let half = Int(talk.starts[3] * 16_000) - 8_000
            _ = try await analyzer.analyzeSequence(sequence(try inputs(Array(talk.samples[..<half]))))
            try await analyzer.setContext(AnalysisContext())
            _ = try await analyzer.analyzeSequence(sequence(try inputs(Array(talk.samples[half...]))))
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            #expect(try await module.results.all().text == talk.text().replacing("w1", with: "Zwettl"))
            #expect(Set(model.requests.all.map(\.settings.vocabulary)) == [["Zwettl", "Krems"], []])
        }
    }
}
