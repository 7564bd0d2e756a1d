import Foundation
import Testing

@testable import Steno
@testable import StenoSpeech

/// Misuse is an error with a code and a message; nothing hangs or crashes.
struct MisuseTests {
    private let talk = SpokenLevels(utterances: [2])

    @Test func theFormatChangesInMidStream() async throws {
        try await with(.scripted(), transcriber()) { module, analyzer in
            let mixed = sequence(try inputs(talk.samples) + inputs(talk.samples, rate: 48_000))
            await expectError(.unexpectedAudioFormat, "48000 Hz") { _ = try await analyzer.analyzeSequence(mixed) }
            await expectError(.unexpectedAudioFormat, "changed") { _ = try await module.results.all() }
            await expectError(.unexpectedAudioFormat, "changed") { try await analyzer.finalize(through: nil) }
            await expectError(.unexpectedAudioFormat, "changed") {
                try await analyzer.start(inputSequence: sequence([]))
            }
        }
        // Failures in the background are thrown by the results.
        try await with(.scripted()) {
            let module = transcriber()
            let mixed = sequence(try inputs(talk.samples) + inputs(talk.samples, rate: 48_000))
            let analyzer = SpeechAnalyzer(inputSequence: mixed, modules: [module])
            await expectError(.unexpectedAudioFormat, "changed") { _ = try await module.results.all() }
            await expectError(.unexpectedAudioFormat, "changed") {
                try await analyzer.finalizeAndFinishThroughEndOfInput()
            }
        }
    }

    @Test func anInputIsOutOfOrder() async throws {
        try await with(.scripted(), transcriber()) { _, analyzer in
            let start = CMTime(value: 7, timescale: 1)
            let mixed = sequence(try inputs(talk.samples, from: start) + inputs(talk.samples, from: start))
            await expectError(.audioDisordered, "order") { _ = try await analyzer.analyzeSequence(mixed) }
        }
    }

    @Test func anAnalyzerIsStartedTwiceOrAfterTheFinish() async throws {
        try await with(.scripted(), transcriber()) { _, analyzer in
            let (stream, input) = AsyncStream<AnalyzerInput>.makeStream()
            try await analyzer.start(inputSequence: stream)
            await expectError(.analyzerState, "one at a time") { try await analyzer.start(inputSequence: sequence([])) }
            await expectError(.analyzerState, "one at a time") { _ = try await analyzer.analyzeSequence(sequence([])) }
            input.finish()
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            await expectError(.analyzerState, "finished") { try await analyzer.start(inputSequence: sequence([])) }
            await expectError(.analyzerState, "finished") { try await analyzer.setModules([]) }
            await expectError(.analyzerState, "finished") { try await analyzer.setContext(AnalysisContext()) }
            await expectError(.analyzerState, "finished") { try await analyzer.prepareToAnalyze(in: nil) }
        }
    }

    @Test func aModuleIsUsedByTwoAnalyzers() async throws {
        try await with(.scripted()) {
            let module = transcriber()
            let first = SpeechAnalyzer(modules: [module])
            let second = SpeechAnalyzer(modules: [SpeechDetector(), module])
            await expectError(.moduleInUse, "another analyzer") { try await second.prepareToAnalyze(in: nil) }
            await expectError(.moduleInUse, "another analyzer") { try await second.start(inputSequence: sequence([])) }
            // The analyzer that has it is not disturbed.
            await second.cancelAndFinishNow()
            _ = try await first.analyzeSequence(sequence(try inputs(talk.samples)))
            try await first.finalizeAndFinishThroughEndOfInput()
            #expect(try await module.results.all().text == talk.text())
            let third = SpeechAnalyzer(modules: [])
            await expectError(.moduleInUse, "another analyzer") { try await third.setModules([module]) }
        }
    }

    @Test func theLocaleIsUnsupportedOrNoModelIsInstalled() async throws {
        try await with(.scripted(), transcriber(Locale(identifier: "tlh"))) { _, analyzer in
            await expectError(.cannotAllocateUnsupportedLocale, "tlh") {
                try await analyzer.start(inputSequence: sequence([]))
            }
        }
        // Another model may know it.
        let installer = ScriptedInstaller(LevelModel(), languages: ["en", "de", "fr"])
        try await with(.scripted(installer), transcriber(Locale(identifier: "fr"))) { _, analyzer in
            await expectError(.cannotAllocateUnsupportedLocale, "levels") {
                try await analyzer.start(inputSequence: sequence([]))
            }
        }
        // No model is installed.
        let nothing = ScriptedInstaller(LevelModel(), isInstalled: false, mayDownload: false)
        try await with(.scripted(nothing), transcriber()) { _, analyzer in
            await expectError(.noModel, "steno models download") { try await analyzer.prepareToAnalyze(in: nil) }
            await expectError(.noModel, "steno models download") {
                _ = try await analyzer.analyzeSequence(sequence(try inputs(talk.samples)))
            }
        }
    }

    @Test func anotherLanguageModelIsRefused() async throws {
        try await with(.scripted()) {
            let configuration = SFSpeechLanguageModel.Configuration(languageModel: URL(fileURLWithPath: "/model"))
            let module = DictationTranscriber(
                locale: english, contentHints: [.customizedLanguage(modelConfiguration: configuration)],
                transcriptionOptions: [], reportingOptions: [], attributeOptions: [])
            let analyzer = SpeechAnalyzer(modules: [module])
            await expectError(.malformedSupplementalModel, "contextualStrings") {
                try await analyzer.prepareToAnalyze(in: nil)
            }
        }
    }
}
