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
        let heard = Recorder<Int>()
        var texts: [Int: String] = [:]
        let sequence = transcriber.transcripts(
            options: options, progress: { number, _ in heard.add(number) },
            from: files.map { file in { try AudioFile.open(file) } })
        for try await (number, transcript) in sequence {
            switch transcript {
            case .success(let transcript):
                #expect(transcript == (try await transcriber.transcribe(file: files[number], options: options)))
                texts[number] = transcript.text
            case .failure(let error):
                #expect(number == 1)
                #expect((error as? StenoError)?.code == .audioNotFound)
            }
        }
        #expect(texts == [0: "Tomorrow is Friday.", 2: "Have you ever been to Norway?"])
        #expect(Set(heard.all) == [0, 2])
    }

    @Test func aResultHasItsFile() async throws {
        let transcriber = try await Self.nano.value
        var results: [FileResult] = []
        for try await result in transcriber.transcripts(files: files, options: options(batchSize: 3)) {
            results.append(result)
        }
        results.sort { $0.index < $1.index }
        #expect(results.map(\.index) == [0, 1, 2] && results.map(\.file) == files)
        let texts = results.map { try? $0.result.get().text }
        #expect(texts == ["Tomorrow is Friday.", nil, "Have you ever been to Norway?"])
    }

    @Test func cancellingEndsAllWithSwiftsError() async throws {
        let transcriber = try await Self.nano.value
        let (events, continuation) = AsyncStream.makeStream(of: Void.self)
        let sequence = transcriber.transcripts(
            options: options(batchSize: 2), progress: { _, _ in continuation.yield() },
            from: (0..<2).map { _ in { try EndlessSpeech() } })
        let task = Task { for try await _ in sequence {} }
        for await _ in events { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func leavingTheLoopStopsTheDecoding() async throws {
        let (released, continuation) = AsyncStream.makeStream(of: Void.self)
        let short = Fixtures.file("sounds/tomorrow.wav")
        let sequence = try await Self.nano.value.transcripts(
            options: options(batchSize: 2),
            from: [{ try AudioFile.open(short) }, { try EndlessSpeech { continuation.finish() } }])
        for try await _ in sequence { break }
        for await _ in released {}
    }

    @Test func wrongOptionsAreThrown() async throws {
        let sequence = try await Self.nano.value.transcripts(files: files, options: options(batchSize: 99))
        await expectAsyncError(.invalidOption) { for try await _ in sequence {} }
    }
}
