import Foundation
import Testing

@testable import Steno
@testable import StenoSpeech

/// What the options of the modules do to their engines and to their texts.
struct ModuleOptionsTests {
    private func options(of module: any EngineModule, isFile: Bool = false) -> LiveOptions {
        var options = LiveOptions()
        module.adjust(&options, isFile: isFile)
        return options
    }

    @Test func textThatNobodyWaitsForIsFinalWithItsUtterance() {
        let standard = LiveOptions()
        let progressive = SpeechTranscriber(locale: english, preset: .progressiveTranscription)
        #expect(options(of: progressive) == standard && options(of: progressive, isFile: true) == standard)
        let final = SpeechTranscriber(locale: english, preset: .transcription)
        #expect(options(of: final).pause == standard.endpoint && options(of: final).endpoint == standard.endpoint)
        #expect(options(of: final, isFile: true).endpoint == 2)
        #expect(throws: Never.self) { try options(of: final, isFile: true).validate() }
    }

    @Test func dictationIsFinalOftenWhereThatIsAskedFor() {
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

    @Test func dictationIsWrittenAsItIsAskedFor() async throws {
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

    @Test func thePresetsOfTheSessionAreThoseOfTheSDK() {
        #expect(SpeechTranscriber.Preset.offlineTranscription == .transcription)
        #expect(SpeechTranscriber.Preset.progressiveLiveTranscription == .progressiveTranscription)
        #expect(SpeechTranscriber.Preset.transcription.reportingOptions.isEmpty)
        #expect(
            SpeechTranscriber.Preset.timeIndexedProgressiveTranscription.attributeOptions == [.audioTimeRange])
    }
}
