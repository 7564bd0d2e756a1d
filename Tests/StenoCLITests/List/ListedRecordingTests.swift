import Foundation
import Steno
import StenoCore
import StenoTestSupport
import StenoWhisper
import Testing

@testable import StenoCLI

@Suite struct ListedRecordingTests {
    private func read(_ line: String) throws -> ListedRecording { try ListedRecording(line: Array(line.utf8)) }

    @Test(arguments: [
        ("talks/a b.mp3", #""talks/a b.mp3""#, "talks/a b.mp3"), (#"{"path": "a.wav"}"#, #""a.wav""#, "a.wav"),
        (#"  {"path": "a.wav", "id": "7\""} "#, #""7\"""#, "a.wav"),
        (#"{"id": 12, "url": "file:///store/a%20b.wav", "seconds": 3}"#, "12", "/store/a b.wav"),
        (#"{"url": "file://localhost/a.wav"}"#, #""/a.wav""#, "/a.wav"), ("./{a.wav", #""./{a.wav""#, "./{a.wav"),
    ]) func lineNamesARecording(line: String, id: String, path: String) throws {
        let recording = try read(line)
        #expect(recording.id == id && recording.path == path)
    }

    @Test(
        arguments: [
            (#"{"path": "a.wav""#, nil, "invalidLine"), ("{a.wav", nil, "invalidLine"),
            (#"{"path": 3, "id": "x"}"#, #""x""#, "invalidLine"), (#"{"id": "x"}"#, #""x""#, "invalidLine"),
            (#"{"path": "a.wav", "id": 1.5}"#, nil, "invalidLine"), (#"{"path": ""}"#, #""""#, "invalidLine"),
            (#"{"path": "a\u0000.wav"}"#, #""a\u0000.wav""#, "invalidLine"),
            (#"{"id": 3, "url": "https://example.com/a.mp3"}"#, "3", "audioNotFound"),
            (#"{"id": 3, "url": "file://host/a.mp3"}"#, "3", "audioNotFound"),
            (#"{"id": 3, "path": "a", "options": {"beam_size": 9}}"#, "3", "invalidLine"),
            (#"{"id": 3, "path": "a", "options": {"task": "sing"}}"#, "3", "invalidLine"),
            (#"{"id": 3, "path": "a", "options": {"clip_timestamps": [3, 1]}}"#, "3", "invalidLine"),
            (#"{"id": 3, "path": "a", "options": []}"#, "3", "invalidLine"),
        ] as [(String, String?, String)])
    func invalidLinesAreRefused(line: String, id: String?, code: String) throws {
        let refusal = try #require(throws: InvalidLine.self) { try read(line) }
        #expect(refusal.id == id && refusal.error.code.description == code)
        #expect(refusal.error.message.count > 20)
    }

    @Test func refusalsSayWhatToWrite() throws {
        for (line, words) in [
            (Array(#"{"path": "a\u0000.wav"}"#.utf8), "contains a NUL byte"), (Array("{a.wav".utf8), "as ./{…"),
            ([0x61, 0xFF, 0x62], "UTF-8"),
        ] {
            let refusal = try #require(throws: InvalidLine.self) { try ListedRecording(line: line) }
            #expect(refusal.error.message.contains(words))
        }
    }

    @Test func aRecordingsOptionsOverrideTheCommands() throws {
        let line = """
            {"path": "a.wav", "options": {"language": "de", "task": "translate", "word_timestamps": true, \
            "initial_prompt": "Nguyen", "hotwords": null, "clip_timestamps": [1, 2, 5], "audio_track": 2}}
            """
        let recording = try read(line)
        var options = TranscriptionOptions(language: "en")
        (options.vocabulary, options.whisper.beamSize) = (["words"], 3)
        let before = options
        recording.options.apply(to: &options)
        #expect(
            options
                == before.with {
                    ($0.language, $0.task, $0.wordTimestamps, $0.prompt) = ("de", .translate, true, "Nguyen")
                    ($0.vocabulary, $0.clips) = ([], [1..<2, 5..<Double.infinity])
                })
        #expect(recording.options.audioTrack == 2)
    }

    /// A model may write text in the listening side's silence.
    @Test func silenceInAChannelIsSkipped() {
        #expect(TranscriptionOptions().forOneChannel(of: model()).whisper.voiceActivity != nil)
        // A model that finds the speech itself has no such option.
        #expect(TranscriptionOptions().forOneChannel(of: model(findsSpeech: true)) == TranscriptionOptions())
        // Clips and batches determine what is transcribed.
        let clips = TranscriptionOptions().with { $0.clips = [1..<2] }
        let batch = TranscriptionOptions().with { $0.batchSize = 4 }
        for options in [clips, batch] { #expect(options.forOneChannel(of: model()).whisper.voiceActivity == nil) }
    }

    private func model(findsSpeech: Bool = false) -> SpeechModelInformation {
        SpeechModelInformation(
            family: "Scripted", source: ModelSource(path: "/", format: "", storedPrecision: "", byteCount: 0),
            precision: .float32, threads: 1, parameterCount: 0, languages: ["en"], options: [],
            findsSpeech: findsSpeech)
    }
}

@Suite struct LineReaderTests {
    private let pipe = Pipe()
    private let interruption: Interruption
    private var reader: LineReader

    init() throws {
        interruption = try Interruption()
        reader = LineReader(
            try .duplicating(pipe.fileHandleForReading.fileDescriptor, name: "list"), interruption: interruption)
    }

    private func write(_ bytes: some Sequence<UInt8>) throws {
        try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
    }

    private func line(_ text: String) -> LineReader.Next { .line(Array(text.utf8)) }

    @Test mutating func linesAreGivenOnceComplete() throws {
        #expect(try reader.next(waits: false) == .notYet)
        try write("one\ntw".utf8)
        #expect(try reader.next(waits: false) == line("one") && reader.next(waits: false) == .notYet)
        try write("o\n\nlast".utf8)
        #expect(try reader.next(waits: true) == line("two") && reader.next(waits: true) == line(""))
        #expect(try reader.next(waits: false) == .notYet)
        try pipe.fileHandleForWriting.close()
        // The other tests' child processes have a copy of the pipe for a moment, so that its end can come later.
        #expect(try reader.next(waits: true) == line("last"))
        #expect(try reader.next(waits: true) == .end && reader.next(waits: false) == .end)
    }

    @Test mutating func anInterruptionEndsTheWait() {
        interruption.interrupt()
        #expect(throws: StenoError.self) { try reader.next(waits: true) }
    }

    /// From a file, since a pipe holds only a few of its blocks.
    @Test(arguments: ["\nnext\n", "\nnext", ""]) func anEndlessLineIsSkipped(rest: String) throws {
        let folder = try TemporaryFolder()
        let long = String(repeating: "x", count: 3 * LineReader.limit)
        let file = try folder.write("first\n" + long + rest, to: "list")
        var reader = LineReader(try .openForReading(file.path), interruption: interruption)
        #expect(try reader.next(waits: true) == line("first"))
        guard case .tooLong(let start) = try reader.next(waits: true) else {
            Issue.record("a line of megabytes is no line")
            return
        }
        #expect(start.count == 80 && start.allSatisfy { $0 == UInt8(ascii: "x") })
        if !rest.isEmpty { #expect(try reader.next(waits: true) == line("next")) }
        #expect(try reader.next(waits: true) == .end)
    }

    @Test func aLineOfMaximumLengthIsAccepted() throws {
        let folder = try TemporaryFolder()
        let longest = String(repeating: "x", count: LineReader.limit)
        let file = try folder.write(longest + "\n" + longest + "y\nnext\n", to: "list")
        var reader = LineReader(try .openForReading(file.path), interruption: interruption)
        #expect(try reader.next(waits: true) == line(longest))
        guard case .tooLong = try reader.next(waits: true) else {
            Issue.record("the limit is not kept")
            return
        }
        #expect(try reader.next(waits: true) == line("next"))
    }
}
