import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoWhisper

/// Several recordings at once through the public API, on the nano model.
@Suite(.timeLimit(.minutes(60))) struct TranscriptSequenceTests {
    private static let nano = Task { try await Transcriber.load(Fixtures.nano, threads: 1) }
    private let files = ["sounds/tomorrow.wav", "nowhere.wav", "sounds/norway.wav"].map { Fixtures.file($0) }

    private func options(batchSize: Int) -> TranscriptionOptions {
        TranscriptionOptions(language: "en").with {
            ($0.clips, $0.batchSize) = ([0..<(.infinity)], batchSize)
            ($0.whisper.beamSize, $0.whisper.temperatures) = (1, [0])
        }
    }

    @Test(arguments: [1, 3]) func eachFileGetsItsTranscriptOrItsError(batchSize: Int) async throws {
        let transcriber = try await Self.nano.value
        let options = options(batchSize: batchSize)
        var texts: [Int: String] = [:]
        for try await done in transcriber.transcripts(files: files, options: options) {
            #expect(done.file == files[done.index])
            switch done.result {
            case .success(let transcript):
                #expect(transcript == (try await transcriber.transcribe(file: done.file, options: options)))
                texts[done.index] = transcript.text
            case .failure(let error):
                #expect(done.index == 1)
                #expect((error as? StenoError)?.code == .audioNotFound)
            }
        }
        #expect(texts == [0: "Tomorrow is Friday.", 2: "Have you ever been to Norway?"])
    }

    @Test(arguments: [1, 3]) func aFeedReportsProgressAndEndsWithTheResult(batchSize: Int) async throws {
        let options = options(batchSize: batchSize)
        let feed = ArrayFeed(files.map { file in { try AudioFile.open(file) } }, options)
        let heard = Recorder<Int>(), ended = Recorder<Int>()
        try await Self.nano.value.transcribe(feed, options: options) { number, event in
            #expect(!ended.all.contains(number))
            (event.result == nil ? heard : ended).add(number)
        }
        #expect(Set(heard.all) == [0, 2] && ended.all.sorted() == [0, 1, 2])
    }

    @Test func cancellingEndsAllWithSwiftsError() async throws {
        let transcriber = try await Self.nano.value
        let (events, continuation) = AsyncStream.makeStream(of: Void.self)
        let sequence = transcriber.transcripts(files: files, options: options(batchSize: 2)) { _ in
            SampleTap(try EndlessSpeech(), onSamples: { _ in continuation.yield() })
        }
        let task = Task { for try await _ in sequence {} }
        for await _ in events { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func leavingTheLoopStopsTheDecoding() async throws {
        let (released, continuation) = AsyncStream.makeStream(of: Void.self)
        let short = files[0]
        let sequence = try await Self.nano.value.transcripts(files: [short, files[2]], options: options(batchSize: 2)) {
            if $0 == short { try AudioFile.open($0) } else { try EndlessSpeech { continuation.finish() } }
        }
        for try await _ in sequence { break }
        for await _ in released {}
    }

    @Test func wrongOptionsAreThrown() async throws {
        let sequence = try await Self.nano.value.transcripts(files: files, options: options(batchSize: 99))
        await expectAsyncError(.invalidOption) { for try await _ in sequence {} }
    }
}
