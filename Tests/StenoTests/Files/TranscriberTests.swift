import Foundation
import StenoBundledModel
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore
@testable import StenoWhisper

/// The library's entry point, through its public API only, on the nano model: it can be read as a tutorial.
@Suite(.timeLimit(.minutes(60))) struct TranscriberTests {
    private static let nano = Task { try await Transcriber.load(Fixtures.nano, threads: 1) }
    private let speech = Fixtures.file("sounds/tomorrow.wav")

    private func transcriber() async throws -> Transcriber { try await Self.nano.value }

    /// Greedy search and one temperature keep the tests short.
    private let options = TranscriptionOptions(language: "en").with {
        ($0.whisper.beamSize, $0.whisper.temperatures) = (1, [0])
    }

    @Test func aFileBecomesATranscript() async throws {
        let transcript = try await transcriber().transcribe(file: speech, options: options)
        #expect(transcript.language == "en")
        #expect(abs(transcript.duration - 2.4) < 0.01)
        #expect(transcript.text == "Tomorrow is Friday.")
    }

    @Test func theEventsOfAFileEndWithItsTranscript() async throws {
        let transcript = try await transcriber().transcribe(file: speech, options: options)
        var events: [FileEvent] = []
        for try await event in try await transcriber().events(file: speech, options: options) { events.append(event) }
        #expect(events.first?.duration == transcript.duration)
        #expect(events.compactMap(\.language).map(\.language) == ["en"])
        #expect(events.compactMap(\.segment) == transcript.segments)
        let progress = events.compactMap(\.progress)
        #expect(progress.map(\.processed) == progress.map(\.processed).sorted())
        #expect(progress.last?.fraction == 1)
        #expect(progress.last?.timeLeft == 0)
        #expect(events.last?.transcript == transcript)
    }

    @Test func concurrentCallsGiveTheSameResultAsSequentialOnes() async throws {
        let alone = try await transcriber().transcribe(file: speech, options: options)
        try await withThrowingTaskGroup(of: Transcript.self) { group in
            for _ in 0..<3 { group.addTask { try await transcriber().transcribe(file: speech, options: options) } }
            for try await transcript in group { #expect(transcript == alone) }
        }
    }

    @Test func cancellingStopsEndlessAudioAndThrowsSwiftsError() async throws {
        let transcriber = try await transcriber()
        let (events, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await transcriber.transcribe(options: options, progress: { _ in continuation.yield() }) {
                try EndlessSpeech()
            }
        }
        for await _ in events { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aCancelledLoopOverEventsDoesNotLookFinished() async throws {
        let segments = try await transcriber().events(options: options) { try EndlessSpeech() }
        let (firsts, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task { for try await _ in segments { continuation.yield() } }
        for await _ in firsts { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// The engine releases the audio only when it has stopped reading it.
    @Test func leavingTheLoopStopsTheDecoding() async throws {
        let (released, continuation) = AsyncStream.makeStream(of: Void.self)
        let segments = try await transcriber().events(options: options) {
            try EndlessSpeech { continuation.finish() }
        }
        for try await _ in segments { break }
        for await _ in released {}
    }

    @Test func theLanguageIsDetected() async throws {
        let detection = try await transcriber().detectLanguage(file: speech)
        #expect(detection.language == "en")
        #expect(detection.probability == detection.probabilities.values.max())
    }
}

#if os(Linux) || os(macOS)
    extension TranscriberTests {
        /// No audio ever arrives: only interrupting the read can end this.
        @Test func cancellingEndsTheWaitForASilentPipe() async throws {
            let folder = try TemporaryFolder()
            let pipe = try folder.namedPipe("sound.pipe")
            // Reading and writing opens a pipe without waiting for the other side.
            let writer = try #require(FileHandle(forUpdatingAtPath: pipe.path))
            let wav = try Data(contentsOf: speech)
            try writer.write(contentsOf: wav.prefix(8000))
            let (opened, continuation) = AsyncStream.makeStream(of: Void.self)
            let transcriber = try await transcriber()
            let task = Task {
                try await transcriber.transcribe(options: options) {
                    defer { continuation.yield() }
                    return try AudioFile.open(pipe)
                }
            }
            for await _ in opened { break }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            withExtendedLifetime((folder, writer)) {}
        }
    }
#endif

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
        #expect(transcript.duration == 2)
        #expect(transcript.text == "one two")
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
        #expect(spans.count == 1)
        #expect(spans.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= 2.41 })
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
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed"))
struct HotwordTests {
    private func text(_ hotwords: String?) async throws -> String {
        let options = TranscriptionOptions().with { $0.vocabulary = [String](hotwords: hotwords) }
        let transcriber = try await Transcriber.load(try BundledModel.folder, precision: .float32)
        return try await transcriber.transcribe(file: Fixtures.file("real-speech/hotwords.mp3"), options: options).text
    }

    @Test func hotwordsDecideTheSpelling() async throws {
        #expect(try await text(nil) == "Then you go into your confu i folder again in the confu i")
        #expect(try await text("ComfyUI") == "Then you go into your ComfyUI folder again in the ComfyUI")
    }
}
