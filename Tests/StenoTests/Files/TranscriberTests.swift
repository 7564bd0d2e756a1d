import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoWhisper

/// The library's entry point, through its public API only, on the nano model: it can be read as a tutorial.
@Suite(.timeLimit(.minutes(60))) struct TranscriberTests {
    static let nano = Task { try await Transcriber.load(Fixtures.nano, threads: 1) }
    private static let alone = Task { try await nano.value.transcribe(file: speech, options: options) }
    private static let speech = Fixtures.file("sounds/tomorrow.wav")
    /// Greedy search and one temperature keep the tests short.
    private static let options = TranscriptionOptions(language: "en").with {
        ($0.whisper.beamSize, $0.whisper.temperatures) = (1, [0])
    }
    private let speech = Self.speech
    private let options = Self.options

    private func transcriber() async throws -> Transcriber { try await Self.nano.value }

    @Test func aFileBecomesATranscript() async throws {
        let transcript = try await Self.alone.value
        #expect(transcript.language == "en")
        #expect(abs(transcript.duration - 2.4) < 0.01)
        #expect(transcript.text == "Tomorrow is Friday.")
    }

    @Test func theEventsOfAFileEndWithItsTranscript() async throws {
        let transcript = try await Self.alone.value
        var events: [FileEvent] = []
        for try await event in try await transcriber().events(file: speech, options: options) { events.append(event) }
        #expect(events.first?.duration == transcript.duration)
        #expect(events.compactMap(\.language).map(\.language) == ["en"])
        #expect(events.compactMap(\.segment) == transcript.segments)
        let progress = events.compactMap(\.progress)
        #expect(progress.map(\.processed) == progress.map(\.processed).sorted() && progress.last?.fraction == 1)
        #expect(progress.last?.timeLeft == 0)
        #expect(events.last?.transcript == transcript)
    }

    @Test func concurrentCallsGiveTheSameResultAsSequentialOnes() async throws {
        let alone = try await Self.alone.value
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
        await expectCancellation(of: task)
    }

    @Test func aCancelledLoopOverEventsDoesNotLookFinished() async throws {
        let segments = try await transcriber().events(options: options) { try EndlessSpeech() }
        let (firsts, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task { for try await _ in segments { continuation.yield() } }
        for await _ in firsts { break }
        await expectCancellation(of: task)
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
        #expect(detection.language == "en" && detection.probability == detection.probabilities.values.max())
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
            await expectCancellation(of: task)
            withExtendedLifetime((folder, writer)) {}
        }
    }
#endif
