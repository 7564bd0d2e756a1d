import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoSpeech

/// How the modules' options change their engines and texts.
struct ModuleOptionsTests {
    private func options(of module: any EngineModule, isFile: Bool = false) -> LiveOptions {
        var options = LiveOptions()
        module.adjust(&options, isFile: isFile)
        return options
    }
    private var seldom: DictationTranscriber {
        DictationTranscriber(
            locale: english, contentHints: [], transcriptionOptions: [], reportingOptions: [.volatileResults],
            attributeOptions: [])
    }
    @Test func withoutVolatileResultsTextIsFinalWithItsUtterance() {
        let standard = LiveOptions()
        let progressive = SpeechTranscriber(locale: english, preset: .progressiveTranscription)
        #expect(options(of: progressive) == standard && options(of: progressive, isFile: true) == standard)
        let final = transcriber()
        #expect(options(of: final).pause == standard.endpoint && options(of: final).endpoint == standard.endpoint)
        #expect(options(of: final, isFile: true).endpoint == 2)
        #expect(throws: Never.self) { try options(of: final, isFile: true).validate() }
        // Dictation finalises often if asked.
        #expect(options(of: DictationTranscriber(locale: english, preset: .progressiveLongDictation)) == standard)
        #expect(options(of: seldom).pause == standard.endpoint && options(of: seldom).step == standard.step)
        // The presets of the session are aliases.
        #expect(SpeechTranscriber.Preset.offlineTranscription == .transcription)
        #expect(SpeechTranscriber.Preset.progressiveLiveTranscription == .progressiveTranscription)
    }

    @Test func aSensitiveDetectorHearsMore() {
        let thresholds = SpeechDetector.SensitivityLevel.allCases.map { level in
            var options = LiveOptions()
            level.adjust(&options)
            #expect(throws: Never.self) { try options.validate() }
            return options.speechThreshold
        }
        #expect(thresholds == [0.7, 0.5, 0.3])
    }

    @Test func dictationFollowsItsPreset() async throws {
        try await with(.scripted()) {
            let talk = SpokenLevels(utterances: [2, 2])
            let module = DictationTranscriber(locale: german, preset: .timeIndexedLongDictation)
            let phrase = DictationTranscriber(locale: english, preset: .phrase)
            let analyzer = SpeechAnalyzer(modules: [module, phrase])
            _ = try await analyzer.analyzeSequence(sequence(try inputs(talk.samples)))
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            let results = try await module.results.all()
            #expect(results.map(\.text.plain).joined() == talk.text(language: "de") && results.allSatisfy(\.isFinal))
            #expect(results.allSatisfy { $0.text.runs.allSatisfy { $0.audioTimeRange != nil } })
            #expect(try await phrase.results.all().map(\.text.plain).joined() == talk.text())
        }
    }

    /// Only repeated decodings can finalise text late: a streaming model is not asked to.
    @Test(arguments: SecondFamilyModel.Hearing.allCases)
    func everyPresetWorksWithEitherKindOfModel(hearing: SecondFamilyModel.Hearing) async throws {
        let talk = [1, 1, 0, 0, 1, 1, 1, 0, 0, 1].flatMap { [Float](repeating: $0 * 0.3, count: 16_000) }
        try await with(.scripted(SecondFamilyModel(hearing: hearing))) {
            let late = transcriber()
            let soon = SpeechTranscriber(locale: english, preset: .progressiveTranscription)
            let phrase = DictationTranscriber(locale: english, preset: .phrase)
            let seldom = self.seldom
            let analyzer = SpeechAnalyzer(modules: [late, soon, phrase, seldom])
            _ = try await analyzer.analyzeSequence(sequence(try inputs(talk)))
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            var texts = [try await late.results.all().text, try await soon.results.all().text]
            for module in [phrase, seldom] {
                texts.append(try await module.results.all().filter(\.isFinal).map(\.text.plain).joined())
            }
            #expect(texts == [String](repeating: "one two one two three one", count: 4))
        }
    }
}

/// What apps ask a module before they send it audio.
struct ModuleFormatsTests {
    private let modules: [any SpeechModule] = [
        SpeechTranscriber(locale: english, preset: .transcription),
        DictationTranscriber(locale: english, preset: .longDictation), SpeechDetector(),
    ]

    @Test func appsNeedNotConvertTheUsualFormats() async {
        for module in modules {
            let formats = await module.availableCompatibleAudioFormats
            #expect(formats.map(\.sampleRate) == [16_000, 16_000] && formats.map(\.channelCount) == [1, 1])
            #expect(formats.map(\.commonFormat) == [.pcmFormatInt16, .pcmFormatFloat32])
        }
        let localized = modules.compactMap { $0 as? any LocaleDependentSpeechModule }
        #expect(localized.map(\.selectedLocales) == [[english], [english]])
    }
}

struct ModuleResultsTests {
    private let channel = ResultChannel<Int>()

    @Test func resultsWaitForALateReader() async throws {
        for number in 0..<100 { channel.yield(number) }
        channel.finish()
        channel.yield(100)
        #expect(try await ModuleResults(channel: channel).all() == Array(0..<100))
    }

    @Test func anErrorFollowsEarlierResults() async throws {
        channel.yield(1)
        channel.finish(throwing: SFSpeechError(.noModel, "There is none."))
        channel.finish()
        var reader = ModuleResults(channel: channel).makeAsyncIterator()
        #expect(try await reader.next() == 1)
        await #expect(throws: SFSpeechError.self) { try await reader.next() }
    }

    @Test func twoReadersShareTheResults() async throws {
        let results = ModuleResults(channel: channel)
        async let first = results.all()
        async let second = results.all()
        for number in 0..<1_000 { channel.yield(number) }
        channel.finish()
        #expect(try await (first + second).sorted() == Array(0..<1_000))
    }

    @Test func aCancelledReaderStops() async throws {
        let task = Task { try await ModuleResults(channel: channel).all() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        channel.yield(1)
        channel.finish()
        #expect(try await ModuleResults(channel: channel).all() == [1])
    }
}
