import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoCLI

/// The output of `steno live` for other programs.
@Suite struct LiveCommandTests {
    private let tool = StenoTool(environment: StenoTool.nano)
    private let speech = Fixtures.file("sounds/tomorrow.wav")

    private func samples(_ file: URL) throws -> [Float] { try AudioFile.open(file).allSamples() }

    @Test func eventsAreReproducibleLinesOfJSON() throws {
        let arguments = ["live", "--input", speech.path, "--pace", "fast", "--language", "en", "--format", "jsonl"]
        let first = try tool.start(arguments).wait()
        #expect(first.code == 0 && first.errors == "")
        let events = try StenoTool.events(first.output)
        #expect(events.first?.state == .preparing && events.last?.state == .finished)
        #expect(events.map(\.position) == events.map(\.position).sorted())
        #expect(events.map(\.sequence) == Array(0..<events.count))
        let finals = events.filter { $0.kind == .final }
        #expect(finals.flatMap(\.segments).map(\.id) == Array(0..<finals.count))
        #expect(finals.map(\.text).joined().lowercased().contains("tomorrow"))
        #expect(events.contains { $0.kind == .level } && events.contains { $0.kind == .speech })
        #expect(try tool.start(arguments).wait().output == first.output)
    }

    /// Text with one line per utterance, as from `transcribe`.
    @Test func aPipeAndAFileGetText() throws {
        let line = "\"$0\" live --input \"$1\" --pace fast --language en"
        let piped = try tool.runShell(line + " | cat", speech.path)
        #expect(piped.code == 0 && piped.errors == "")
        #expect(piped.output.lowercased().contains("tomorrow") && !piped.output.contains("{"))
        #expect(piped.output.hasSuffix("\n") && !piped.output.contains("\n\n"))
        #expect(try tool.runShell(line + " > notes.txt; cat notes.txt", speech.path).output == piped.output)
        #expect(try tool.runShell(line + " --format text | cat", speech.path).output == piped.output)
        // Subtitles are written while somebody speaks.
        let result = try tool.run(
            "live", "--input", speech.path, "--pace", "fast", "--format", "vtt", "--language", "en")
        #expect(result.output.hasPrefix("WEBVTT\n\n00:0") && result.output.contains(" --> "))
    }

    /// A WAV file in a pipe; text, subtitles and audio are saved as requested.
    @Test func standardInputIsTranscribedAndSaved() throws {
        let result = try tool.runShell(
            "\"$0\" live --input - --pace fast --language en --save a.txt --save a.srt "
                + "--save-audio a.wav < \"$1\"", speech.path)
        #expect(result.code == 0)
        #expect(result.output.lowercased().contains("tomorrow") && result.output.hasSuffix("\n"))
        #expect(try tool.text("a.txt") == result.output && tool.text("a.srt").hasPrefix("1\n00:00:0"))
        #expect(try samples(tool.url("a.wav")) == samples(speech), "the audio is 16 kHz in 16 bits already")
    }
}

/// The events that `steno live` passes to the history's program.
@Suite(.timeLimit(.minutes(60))) struct LiveHistoryTests {
    @Test func onlySavedEventsArePassedOn() async throws {
        let folder = try TemporaryFolder()
        let program = try folder.script("exec cat > \"$(dirname \"$0\")/events.jsonl\"", as: "steno-server")
        let broadcast = TranscriptionEventBroadcast()
        let events = broadcast.events(buffering: .unbounded)
        let word = Word(rawText: " One", start: 0, end: 1, probability: 1, speaker: "Speaker 1")
        let segment = LiveSegment(id: 0, start: 0, end: 1, text: " One", isFinal: true, words: [word])
        let correction = SpeakerChange(start: 0, end: nil, was: "Speaker 1", now: "Ann")
        broadcast.send(.init(.partial(text: " On", segments: []), position: 1))
        broadcast.send(.init(.lag(3), position: 1))
        broadcast.send(.init(.final(text: " One", segments: [segment]), position: 1))
        broadcast.send(.init(.speakers([correction]), position: 2))
        broadcast.send(.init(.cleared, position: 3))
        broadcast.finish(sending: [.init(.state(.finished), position: 3)])
        let history = LiveHistory(title: "", source: "test", language: nil, model: "base", program: program)
        let failures = await history.keep(events) { _ in }
        #expect(failures.isEmpty, "\(failures)")
        let lines = try String(contentsOf: folder.url.appendingPathComponent("events.jsonl"), encoding: .utf8)
        let passed = try lines.split(separator: "\n").map { try TranscriptionEvent(jsonLine: $0) }
        #expect(passed.map(\.kind) == [.partial, .final, .speakers, .cleared, .state])
        #expect(passed.flatMap(\.speakerChanges) == [correction])
    }
}
