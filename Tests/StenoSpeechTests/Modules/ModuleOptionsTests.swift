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

    @Test func withoutVolatileResultsTextIsFinalWithItsUtterance() {
        let standard = LiveOptions()
        let progressive = SpeechTranscriber(locale: english, preset: .progressiveTranscription)
        #expect(options(of: progressive) == standard && options(of: progressive, isFile: true) == standard)
        let final = transcriber()
        #expect(options(of: final).pause == standard.endpoint && options(of: final).endpoint == standard.endpoint)
        #expect(options(of: final, isFile: true).endpoint == 2)
        #expect(throws: Never.self) { try options(of: final, isFile: true).validate() }
    }

    @Test func dictationFinalizesOftenIfAsked() {
        let often = DictationTranscriber(locale: english, preset: .progressiveLongDictation)
        #expect(options(of: often) == LiveOptions())
        let seldom = DictationTranscriber(
            locale: english, contentHints: [], transcriptionOptions: [], reportingOptions: [.volatileResults],
            attributeOptions: [])
        #expect(options(of: seldom).pause == LiveOptions().endpoint && options(of: seldom).step == LiveOptions().step)
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
            let seldom = DictationTranscriber(
                locale: english, contentHints: [], transcriptionOptions: [], reportingOptions: [.volatileResults],
                attributeOptions: [])
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

    @Test func presetsOfTheSessionAreAliases() {
        #expect(SpeechTranscriber.Preset.offlineTranscription == .transcription)
        #expect(SpeechTranscriber.Preset.progressiveLiveTranscription == .progressiveTranscription)
    }
}
