import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// Every form of audio that a transcriber takes, and what it refuses.
@Suite(.timeLimit(.minutes(60))) struct TranscriberAudioTests {
    private let speech = Fixtures.file("sounds/tomorrow.wav")
    private let transcriber = Transcriber(model: SecondFamilyModel())

    @Test func dataIsTranscribedAsTheFileIs() async throws {
        let data = try Data(contentsOf: speech)
        let ofData = try await transcriber.transcribe(data: data)
        #expect(try await ofData == transcriber.transcribe(file: speech))
        #expect(ofData.duration > 2)
    }

    @Test(arguments: [Data(), Data("no audio at all, just text".utf8)])
    func invalidDataIsRefusedWithoutNamingAFile(_ data: Data) async throws {
        let error = await #expect(throws: StenoError.self) { try await transcriber.transcribe(data: data) }
        let temporary = FileManager.default.temporaryDirectory.path
        #expect(error?.message.contains("The data") == true && error?.message.contains(temporary) == false)
    }

    @Test func samplesOfAnyRateAndChannelsAreConverted() async throws {
        // Two seconds in which the channels differ; their mean is not silent.
        let stereo = (0..<96_000).flatMap { index -> [Float] in [Float(index % 96) / 96, 0] }
        let transcript = try await transcriber.transcribe(samples: stereo, sampleRate: 48_000, channels: 2)
        #expect(transcript.duration == 2 && transcript.text == "one two")
        let opposite = (0..<32_000).flatMap { _ -> [Float] in [0.5, -0.5] }
        #expect(try await transcriber.transcribe(samples: opposite, channels: 2).text == "")
    }

    @Test(
        arguments: [
            ([0.1, .nan], 16_000, 1, "Sample 1"), ([.infinity], 16_000, 1, "Sample 0"), ([0.1], 0, 1, "rate"),
            ([0.1], 1 << 40, 1, "rate"), ([0.1], 16_000, 0, "channel"), ([0.1, 0.1, 0.1], 16_000, 2, "whole number"),
        ] as [([Float], Int, Int, String)])
    func impossibleSamplesAreRefused(samples: [Float], rate: Int, channels: Int, part: String) async throws {
        await expectAsyncError(.invalidOption, says: part) {
            try await transcriber.transcribe(samples: samples, sampleRate: rate, channels: channels)
        }
    }

    @Test func speechIsFoundWithoutTranscribing() async throws {
        let spans = try await AudioFile.speech(in: speech)
        #expect(spans.count == 1 && spans.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= 2.41 })
    }
}

/// File events from a model's reports.
@Suite struct FileEventsTests {
    @Test func progressOnlyRisesAndEstimatesTheTimeLeft() {
        var now = 100.0
        var writer = FileEventWriter { now }
        var events = writer.events(duration: nil)
        now = 102
        for (processed, total) in [(10.0, nil), (10, nil), (8, nil), (20, 40), (40, 40)] as [(Double, Double?)] {
            events += writer.events(for: .progress(processed: processed, total: total))
        }
        #expect(events.map { $0.progress != nil } == [true, false, true, true])
        #expect(events.compactMap(\.duration) == [40])
        #expect(events.compactMap(\.progress?.processed) == [10, 20, 40])
        #expect(events.compactMap(\.progress).map(\.fraction) == [nil, 0.5, 1])
        // Twenty seconds took two seconds.
        #expect(events.compactMap(\.progress).map(\.timeLeft) == [nil, 2, 0])
    }

    @Test func theTranscriptComesLastAfterItsDuration() throws {
        var writer = FileEventWriter { 0 }
        let events = writer.end(Transcript(language: "en", duration: 3, segments: []))
        try #require(events.count == 3)
        #expect(events[0].duration == 3 && events[1].progress?.fraction == 1 && events[2].transcript?.duration == 3)
    }
}

/// faster-whisper's own example of hotwords, with the text that faster-whisper 1.2.1 writes in float32.
@Suite(.needsFFmpeg) struct HotwordTests {
    private func text(_ hotwords: String?) async throws -> String {
        let options = TranscriptionOptions().with { $0.vocabulary = [String](hotwords: hotwords) }
        let file = Fixtures.file("real-speech/hotwords.mp3")
        return try await GoldenModels.whisperBase.value.transcribe(file: file, options: options).text
    }

    @Test func hotwordsDecideTheSpelling() async throws {
        #expect(try await text(nil) == "Then you go into your confu i folder again in the confu i")
        #expect(try await text("ComfyUI") == "Then you go into your ComfyUI folder again in the ComfyUI")
    }
}
