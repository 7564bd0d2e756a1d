import Foundation
import Steno
import StenoCore
import StenoWhisper
import Testing

@testable import StenoCLI

@Suite struct ListedRecordingTests {
    private func read(_ line: String) throws -> ListedRecording { try ListedRecording(line: Array(line.utf8)) }

    @Test(arguments: [
        ("talks/a b.mp3", #""talks/a b.mp3""#, "talks/a b.mp3"),
        (#"{"path": "a.wav"}"#, #""a.wav""#, "a.wav"),
        (#"  {"path": "a.wav", "id": "7\""} "#, #""7\"""#, "a.wav"),
        (#"{"id": 12, "url": "file:///store/a%20b.wav", "seconds": 3}"#, "12", "/store/a b.wav"),
        (#"{"url": "file://localhost/a.wav"}"#, #""/a.wav""#, "/a.wav"),
        ("./{a.wav", #""./{a.wav""#, "./{a.wav"),
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
        ] as [(String, String?, String)]) func invalidLinesAreRefused(line: String, id: String?, code: String)
        throws
    {
        let refusal = try #require(throws: InvalidLine.self) { try read(line) }
        #expect(refusal.id == id && refusal.error.code.description == code)
        #expect(refusal.error.message.count > 20)
    }

    @Test(arguments: [
        (#"{"path": "a\u0000.wav"}"#, "contains a NUL byte"), ("{a.wav", "as ./{…"),
    ]) func refusalsSayWhatToWrite(line: String, words: String) throws {
        let refusal = try #require(throws: InvalidLine.self) { try read(line) }
        #expect(refusal.error.message.contains(words))
    }

    @Test func bytesThatAreNotUTF8AreRefused() throws {
        let refusal = try #require(throws: InvalidLine.self) { try ListedRecording(line: [0x61, 0xFF, 0x62]) }
        #expect(refusal.error.message.contains("UTF-8"))
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
    }

    @Test func clipsAndBatchesDetermineWhatIsTranscribed() {
        var (clips, batch) = (TranscriptionOptions(), TranscriptionOptions())
        clips.clips = [1..<2]
        batch.batchSize = 4
        #expect(clips.forOneChannel(of: model()).whisper.voiceActivity == nil)
        #expect(batch.forOneChannel(of: model()).whisper.voiceActivity == nil)
    }

    private func model(findsSpeech: Bool = false) -> SpeechModelInformation {
        SpeechModelInformation(
            family: "Scripted", source: ModelSource(path: "/", format: "", storedPrecision: "", byteCount: 0),
            precision: .float32, threads: 1, parameterCount: 0, languages: ["en"], options: [],
            findsSpeech: findsSpeech)
    }
}
