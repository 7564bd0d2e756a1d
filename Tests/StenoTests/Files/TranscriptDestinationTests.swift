import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoWhisper

@Suite struct TranscriptDestinationTests {
    private let folder = TemporaryFolder.ofSuite()
    private let transcript = Transcript(language: "en", languageProbability: 1, duration: 0, segments: [])

    @Test func theFolderIsMadeAndEachFormatGetsAFile() throws {
        let target = folder.url.appendingPathComponent("a/b")
        let destination = try TranscriptDestination(
            folder: target, formats: [.srt, .json], inputs: ["x/talk.mp3", "-"])
        let written = try destination.write(transcript, for: "x/talk.mp3")
        try destination.write(transcript, for: "-")
        #expect(written.map(\.lastPathComponent) == ["talk.srt", "talk.json"])
        #expect(try folder.names() == ["a", "a/b", "a/b/stdin.json", "a/b/stdin.srt", "a/b/talk.json", "a/b/talk.srt"])
    }

    /// The text may be the work of hours.
    @Test func aFormatThatCannotBeWrittenDoesNotBlockTheOthers() throws {
        let destination = try TranscriptDestination(folder: folder.url, formats: [.txt, .srt], inputs: ["talk.mp3"])
        // A folder stands where the first file should be.
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("talk.txt"), withIntermediateDirectories: false)
        expectError(.outputFailed) { try destination.write(transcript, for: "talk.mp3") }
        #expect(try folder.names() == ["talk.srt", "talk.txt"])
    }

    @Test func aRemovedFolderIsMadeAgain() throws {
        let target = folder.url.appendingPathComponent("texts")
        let destination = try TranscriptDestination(folder: target, formats: [.txt], inputs: ["talk.mp3"])
        try FileManager.default.removeItem(at: target)
        #expect(try destination.write(transcript, for: "talk.mp3").count == 1)
        #expect(try folder.names() == ["texts", "texts/talk.txt"])
        // A file in its place is an error.
        try FileManager.default.removeItem(at: target)
        try Data().write(to: target)
        expectError(.outputFailed, says: target.path) { try destination.write(transcript, for: "talk.mp3") }
    }

    @Test func onlyTheLastExtensionIsRemoved() throws {
        let destination = try TranscriptDestination(folder: folder.url, formats: [.txt], inputs: [])
        #expect(destination.file(for: "a/talk.v2.mp3", format: .txt).lastPathComponent == "talk.v2.txt")
        #expect(destination.file(for: "talk", format: .txt).lastPathComponent == "talk.txt")
    }

    @Test(arguments: [["talk.flac", "a.wav", "talk.mp3"], ["x/talk.flac", "a.wav", "y/Talk.mp3"]])
    func namesThatDifferOnlyInTheExtensionKeepIt(inputs: [String]) throws {
        let destination = try TranscriptDestination(folder: folder.url, formats: [.txt], inputs: inputs)
        let names = inputs.map { destination.file(for: $0, format: .txt).lastPathComponent.lowercased() }
        #expect(names == ["talk.flac.txt", "a.txt", "talk.mp3.txt"])
        let written = try inputs.flatMap { try destination.write(transcript, for: $0) }
        #expect(Set(written).count == 3)
    }

    @Test(arguments: [
        ["a/talk.mp3", "b/talk.mp3"], ["talk.mp3", "TALK.MP3"], ["x.wav", "y.wav", "x.wav"],
        ["talk.mp3", "talk.flac", "talk.mp3.wav"],
    ])
    func twoInputsWithOneNameAreRefused(inputs: [String]) throws {
        let error = try #require(throws: StenoError.self) {
            try TranscriptDestination(folder: folder.url, formats: [.txt], inputs: inputs)
        }
        #expect(error.code == .invalidOption)
        #expect(error.message.lowercased().contains("talk") || error.message.contains("x.wav"))
    }

    @Test func anInputIsNeverOverwrittenAndAFolderThatCannotBeMadeIsAnError() throws {
        let input = try folder.write("sound", to: "talk.txt")
        expectError(.invalidOption) {
            try TranscriptDestination(folder: folder.url, formats: [.txt], inputs: [input.path])
        }
        expectError(.outputFailed) {
            try TranscriptDestination(folder: input.appendingPathComponent("below"), formats: [.txt], inputs: [])
        }
    }

    @Test func anOlderFileIsReplacedByOneWithTheUsualPermissions() throws {
        try folder.write("old", to: "talk.vtt")
        let destination = try TranscriptDestination(
            folder: folder.url, formats: [.vtt], inputs: ["talk.mp3", "new.mp3"])
        let file = try #require(try destination.write(transcript, for: "talk.mp3").first)
        #expect(try String(contentsOf: file, encoding: .utf8) == "WEBVTT\n\n")
        #expect(try folder.names() == ["talk.vtt"])
        let new = try #require(try destination.write(transcript, for: "new.mp3").first)
        #expect(try permissions(of: new) == permissions(of: folder.write("", to: "plain")))
    }
}

/// Several recordings at once through the public API, on the nano model.
@Suite(.timeLimit(.minutes(60))) struct TranscriptSequenceTests {
    private static let nano = TranscriberTests.nano
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
        await expectCancellation(of: task)
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
