import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// The transcript files of a session, on disks that work and on disks that don't.
@Suite(.timeLimit(.minutes(60))) final class LiveTranscriptWriterTests {
    private let folder = TemporaryFolder.ofSuite()
    private var speaker = SpokenWords()

    private func url(_ name: String) -> URL { folder.url.appendingPathComponent(name) }
    private func text(_ name: String) throws -> String { try String(contentsOf: url(name), encoding: .utf8) }

    private func write(_ events: TranscriptionEvent..., to writer: LiveTranscriptWriter) async {
        for event in events { writer.write(event) }
        await writer.flush()
    }

    // MARK: Disks that work

    @Test func afterEveryFinalTheFilesAreComplete() async throws {
        let names = ["a.txt", "a.srt", "a.vtt", "a.lrc", "a.json", "a.tsv"]
        let writer = try LiveTranscriptWriter(names.map(url), language: "en")
        await write(SpokenWords.audio, to: writer)
        #expect(try folder.names() == names.sorted())
        #expect(try text("a.txt") == "" && text("a.vtt") == "WEBVTT\n\n")
        await write(speaker.final("The ferry leaves"), to: writer)
        #expect(try text("a.txt") == "The ferry leaves\n" && text("a.srt").hasSuffix("The ferry leaves\n\n"))
        await write(speaker.final("at dawn"), speaker.end("."), to: writer)
        await write(speaker.final("Bring a coat & a hat."), to: writer)
        #expect(try text("a.txt") == "The ferry leaves at dawn.\nBring a coat & a hat.\n")
        await writer.close()
        #expect(try text("a.vtt").hasSuffix("Bring a coat &amp; a hat.\n\n"))
        #expect(try text("a.tsv").hasPrefix("start\tend\ttext\n0\t2500\tThe ferry leaves at dawn.\n"))
        #expect(try text("a.lrc").contains("[00:03.50]Bring a coat & a hat.\n"))
        let transcript = try JSONDecoder().decode(Transcript.self, from: Data(contentsOf: url("a.json")))
        #expect(transcript.text == "The ferry leaves at dawn. Bring a coat & a hat." && transcript.language == "en")
    }

    /// Long utterances are split as `--split-cues` splits files.
    @Test func cuesEqualThoseOfAFile() async throws {
        let writer = try LiveTranscriptWriter([url("a.srt"), url("a.vtt")])
        var events: [TranscriptionEvent] = []
        for sentence in 0..<12 {
            events += (0..<3).map { _ in speaker.final("the captain of the \(sentence)") }
            events += [speaker.final("ferry, and we are listening."), speaker.end()]
            speaker.time += 3
        }
        for event in events { writer.write(event) }
        await writer.close()
        let transcript = events.transcript.transcript()
        #expect(transcript.cues(.readable).count >= 24)
        #expect(try text("a.srt") == TranscriptFormat.srt.text(of: transcript, subtitles: .readable))
        #expect(try text("a.vtt") == TranscriptFormat.vtt.text(of: transcript, subtitles: .readable))
    }

    @Test func aSessionWithoutAudioLeavesNoFile() async throws {
        let writer = try LiveTranscriptWriter([url("a.txt")])
        await write(
            .init(.state(.preparing), position: 0), .init(.state(.running), position: 0),
            .init(.error(TranscriptionFailure("no such recording")), position: 0),
            .init(.state(.finished), position: 0), to: writer)
        _ = await writer.close()
        #expect(try folder.names() == [])
    }

    @Test func aReaderThatFellBehindStillHasAllText() async throws {
        let writer = try LiveTranscriptWriter([url("a.txt"), url("a.srt")])
        let first = speaker.final("One two.")
        await write(SpokenWords.audio, first, to: writer)
        let missed = [speaker.end(), speaker.final("Three four."), speaker.end(), speaker.final("Five.")]
        let all = ([first] + missed).transcript
        await write(.init(.snapshot(all), position: speaker.time), speaker.final("Six."), to: writer)
        #expect(try text("a.txt") == "One two.\nThree four.\nFive. Six.\n")
        let cues = try text("a.srt")
        for word in ["One", "Three", "Five", "Six"] { #expect(cues.components(separatedBy: word).count == 2) }
    }

    @Test func clearedTextIsRemovedFromTheFiles() async throws {
        let writer = try LiveTranscriptWriter([url("a.txt"), url("a.vtt")])
        await write(SpokenWords.audio, speaker.final("Secret."), .init(.cleared, position: 1), to: writer)
        #expect(try text("a.txt") == "" && text("a.vtt") == "WEBVTT\n\n")
        await write(speaker.final("Public."), to: writer)
        #expect(try text("a.txt") == "Public.\n" && text("a.vtt").hasSuffix("Public.\n\n"))
    }

    /// Text that becomes final while writing rests is written afterwards, with or without more audio.
    @Test func aLongTranscriptIsWrittenLessOften() async throws {
        let writes = Shared<[String]>([]), rests = Shared<[(seconds: Double, end: @Sendable () -> Void)]>([])
        let writer = try LiveTranscriptWriter(
            [url("a.txt")], subtitles: .readable, language: nil, overwriting: false,
            later: { seconds, end in rests.change { $0.append((seconds, end)) } },
            replace: { text, _, _ in writes.change { $0.append(text) } })
        let long = String(repeating: "word ", count: 100_000)
        await write(speaker.final(long), to: writer)
        #expect(writes.value.count == 1)
        try #require(rests.value.count == 1)
        #expect(rests.value[0].seconds == Double(writes.value[0].utf8.count) / 250_000)

        speaker.time = 0
        for text in ["The last", "words."] { writer.write(speaker.final(text)) }
        #expect(writes.value.count == 1)
        rests.value[0].end()
        #expect(writes.value.count == 2 && writes.value.last?.hasSuffix("The last words.\n") == true)

        try #require(rests.value.count == 2)
        rests.value[1].end()
        #expect(writes.value.count == 2 && rests.value.count == 2, "nothing is new")
        await write(speaker.final("More."), to: writer)
        #expect(writes.value.count == 3 && rests.value.count == 3, "after a rest the next words are written at once")
    }

    /// Events during a long write go into the next one.
    @Test func aStuckDiskBlocksNobody() async throws {
        let writes = Shared<[String]>([])
        let (isWriting, disk) = (AsyncGate(), DispatchSemaphore(value: 0))
        let writer = try LiveTranscriptWriter(
            [url("a.txt")], subtitles: .readable, language: nil, overwriting: false, later: { _, _ in },
            replace: { text, _, _ in
                writes.change { $0.append(text) }
                isWriting.open()
                disk.wait()
            })
        writer.write(speaker.final("The first"))
        await isWriting.wait()
        for number in 0..<1000 { writer.write(speaker.final("word \(number)")) }
        #expect(writes.value == ["The first\n"])
        for _ in 0..<2 { disk.signal() }
        #expect(await writer.close() == [])
        #expect(writes.value.count == 2 && writes.value[1].hasSuffix("word 998 word 999\n"))
    }

    // MARK: Files that exist

    @Test func filesThatExistAreKeptUnlessTheyMayBeReplaced() async throws {
        try folder.write("keep me", to: "a.txt")
        expectError(.outputFailed, says: "a.txt exists already") {
            try LiveTranscriptWriter([url("b.txt"), url("a.txt")])
        }
        #expect(try folder.names() == ["a.txt"])
        let writer = try LiveTranscriptWriter([url("a.txt")], overwriting: true)
        #expect(try text("a.txt") == "keep me", "until there is audio")
        await write(SpokenWords.audio, to: writer)
        #expect(try text("a.txt") == "")
    }

    @Test func aFileThatAppearsMeanwhileIsKept() async throws {
        let writer = try LiveTranscriptWriter([url("a.txt")])
        try folder.write("keep me", to: "a.txt")
        await write(SpokenWords.audio, speaker.final("One."), to: writer)
        #expect(await writer.close() == [url("a.txt")])
        #expect(try text("a.txt") == "keep me")
    }

    @Test func oneFileTwiceIsRefused() throws {
        expectError(.invalidOption, says: "twice") { try LiveTranscriptWriter([url("a.txt"), url("./a.txt")]) }
        #expect(try stenoError { try LiveTranscriptWriter([url("a.doc")]) }.message.contains(".srt"))
    }

    // MARK: Disks that don't work

    /// The disk is full for a while; when there is room again, the files have all text.
    @Test func aFullDiskIsReportedOnceAndCaughtUpWith() async throws {
        let isFull = Shared(false)
        let files = Shared<[String: String]>([:])
        let failures = Shared<[TranscriptionFailure]>([])
        let writer = try LiveTranscriptWriter(
            [url("a.txt"), url("b.srt")], subtitles: .readable, language: nil, overwriting: false
        ) { text, file, _ in
            if isFull.value, file.pathExtension == "txt" {
                throw StenoError(.outputFailed, "a.txt cannot be written: No space left on device")
            }
            files.change { $0[file.lastPathComponent] = text }
        }
        writer.onFailure { failure in failures.change { $0.append(failure) } }
        await write(SpokenWords.audio, speaker.final("One."), to: writer)
        isFull.value = true
        for word in ["Two.", "Three."] { await write(speaker.final(word), to: writer) }
        #expect(files.value["a.txt"] == "One.\n", "the file is as it was")
        #expect(files.value["b.srt"]?.contains("Three.") == true, "other files continue")
        #expect(failures.value.map(\.message) == ["a.txt cannot be written: No space left on device"])
        #expect(failures.value.first?.isFatal == false)
        isFull.value = false
        await write(speaker.final("Four."), to: writer)
        #expect(files.value["a.txt"] == "One. Two. Three. Four.\n")
        isFull.value = true
        await write(speaker.final("Five."), to: writer)
        #expect(failures.value.count == 2, "a second time is a second failure")
        #expect(await writer.close() == [url("a.txt")])
        #expect(failures.value.count == 2)
    }

    @Test func aRemovedFolderIsReportedAndItsFileComesBackWithIt() async throws {
        let inner = folder.url.appendingPathComponent("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
        let failures = Shared<[TranscriptionFailure]>([])
        let writer = try LiveTranscriptWriter([inner.appendingPathComponent("a.txt")])
        writer.onFailure { failure in failures.change { $0.append(failure) } }
        await write(SpokenWords.audio, speaker.final("One."), to: writer)
        try FileManager.default.removeItem(at: inner)
        await write(speaker.final("Two."), to: writer)
        await write(speaker.final("Three."), to: writer)
        #expect(failures.value.count == 1)
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
        #expect(await writer.close() == [])
        #expect(try text("inner/a.txt") == "One. Two. Three.\n")
    }
}
