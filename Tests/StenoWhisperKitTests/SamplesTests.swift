import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoWhisperKit

/// Every sample runs, on the bundled model and a recording of real speech.
@Suite(.timeLimit(.minutes(60))) struct SamplesTests {
    private func withBundledModel<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value { try await ModelFinder.$current.withValue(try .bundled, operation: body) }

    @Test func readme() async throws {
        let speech = try await Recordings.firstWords()
        try await withBundledModel {
            Recordings.expectWords(try #require(await Samples.quickExample(speech.file.path)))
            #expect(await Samples.selection().allSatisfy { $0?.tokenizer != nil })
            for text in try await Samples.results(speech.file.path, speech.samples) { Recordings.expectWords(text) }
        }
    }

    @Test func command() async throws {
        let text = try await Samples.several(Fixtures.nano.path, [Recordings.sentence.path, "/no/such/recording.wav"])
        Recordings.expectSentence(text)
        let whisperKit = try await WhisperKit(WhisperKitConfig(modelFolder: Fixtures.nano.path))
        let tokens = try #require(Samples.prompt("fellow Americans ", whisperKit).promptTokens)
        #expect(whisperKit.tokenizer?.decode(tokens: tokens) == " fellow Americans")
    }

    @Test func callbackAndParameters() async throws {
        let reports = Recorder<String>()
        let speech = try await Recordings.firstWords()
        let whisperKit = try await withBundledModel { try await WhisperKit() }
        let transcriber = try #require(
            Samples.parameters(whisperKit, speech.file, Samples.callback { reports.add($0) }))
        try await transcriber.startStreamTranscription()
        let confirmed = reports.all.filter { $0.hasPrefix("Confirmed segment:") }
            .map { String($0.dropFirst("Confirmed segment: ".count)) }
        Recordings.expectWords(confirmed.joined())
        #expect(reports.all.contains { $0.hasPrefix("Unconfirmed segment:") })
    }

    @Test @MainActor func viewModel() async throws {
        let model = Samples.StreamingViewModel()
        let speech = try await Recordings.firstWords()
        try await withBundledModel {
            try await model.startStreaming(speech.file)
            await model.stopStreaming()
        }
        // Its changes come in tasks of the main actor; the last runs before this task's next turn.
        await Task { @MainActor in }.value
        Recordings.expectWords(model.confirmedSegments.map(\.text).joined())
        #expect(!model.isRecording && model.currentText.isEmpty)
    }

    @Test func voice() async throws {
        let processor = AudioProcessor()
        for level in [-60, -60, -60, -12] as [Float] { processor.append(level: level) }
        #expect(await Samples.voice(processor).detected)
        #expect(Samples.isRepetitive(TranscriptionProgress(text: "", tokens: Array(repeating: 7, count: 60))))
        #expect(!Samples.isRepetitive(TranscriptionProgress(text: "", tokens: (1...60).map { $0 * 7_919 % 50_257 })))
    }
}
