import Foundation
import StenoTestSupport
import Testing

@testable import StenoCLI

/// Ctrl-C and SIGTERM keep the decoded text.
///
/// The audio comes from a pipe that the test holds open; it waits for the first window, never for time to pass.
@Suite(.timeLimit(.minutes(60))) struct PartialTranscriptCommandTests {
    private let tool = StenoTool(environment: StenoTool.nano)

    /// A sentence and silence, as a stream without an end, of which a window and a half arrive.
    private func interrupt(_ arguments: String..., signal: Int32 = SIGINT) throws -> (ProgramResult, String) {
        let (audio, errors) = (ProgramInput(), OutputReader())
        let running = try tool.start(
            ["transcribe", "-", "--language", "en", "--log-progress"] + arguments,
            input: audio.pipe, errors: errors.pipe)
        try audio.write(StenoTool.stream() + Data(count: 45 * 32_000))
        #expect(errors.wait(for: "0:30"))
        kill(running.process.processIdentifier, signal)
        let said = errors.readToEnd()
        return (withExtendedLifetime(audio) { running.wait() }, said)
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func partialFilesInAFolderHaveTheirOwnNames(signal: Int32, code: Int32) throws {
        try tool.folder.write("complete", to: "out/stdin.srt")
        try tool.folder.write("mine", to: "out/stdin.partial.json")
        let (result, said) = try interrupt("--output-dir", "out", "-f", "srt,json", signal: signal)
        #expect(result.code == code)
        #expect(
            said.contains("standard input: interrupted at 0:30; the partial transcript is in out/stdin.partial.srt"))
        #expect(try tool.text("out/stdin.partial.srt").hasSuffix("\nTomorrow is Friday.\n\n"))
        let json = try ProgramResult.printed(tool.text("out/stdin.partial-2.json")).object()
        #expect(json["text"] as? String == "Tomorrow is Friday.")
        #expect(try tool.text("out/stdin.srt") == "complete" && tool.text("out/stdin.partial.json") == "mine")
    }

    @Test func theOutputFileIsKeptToo() throws {
        let (result, said) = try interrupt("-o", "talk.vtt")
        #expect(result.code == 130 && said.contains("talk.partial.vtt"))
        #expect(try tool.text("talk.partial.vtt").hasPrefix("WEBVTT\n\n00:0"))
        #expect(try tool.names() == ["talk.partial.vtt"])
        // Ctrl-\ keeps nothing, and leaves nothing half-written.
        #expect(try interrupt("-o", "other.srt", signal: SIGQUIT).0.code == SIGQUIT)
        #expect(try tool.names() == ["talk.partial.vtt"])
    }

    @Test func standardOutputIsACompleteDocument() throws {
        let (json, said) = try interrupt("-f", "json")
        let object = try json.object()
        #expect(object["text"] as? String == "Tomorrow is Friday." && object["duration"] as? Double == 30)
        #expect(
            object["warnings"] as? [[String: String]]
                == [["code": "cancelled", "message": "The transcription was interrupted at 0:30."]])
        let (subtitles, _) = try interrupt("-f", "srt")
        #expect(subtitles.output.hasPrefix("1\n00:00:0") && subtitles.output.hasSuffix("Friday.\n\n"))
        // Plain text is printed once.
        let (text, saidOfText) = try interrupt()
        #expect(text.output == "Tomorrow is Friday.\n")
        for (code, said) in [(json.code, said), (text.code, saidOfText)] {
            #expect(code == 130 && said.contains("the partial transcript is on standard output"))
        }
    }

    /// An interrupt and the end of the work can both ask for the draft; the text is written once.
    @Test func aDraftIsTakenOnce() {
        var draft = TranscriptDraft()
        let (first, second) = (draft.take(), draft.take())
        #expect(first && !second)
    }

    /// For `--skip-existing`.
    @Test func aPartialTranscriptDoesNotCountAsComplete() throws {
        try tool.folder.write("", to: "out/tomorrow.partial.txt")
        let speech = Fixtures.file("sounds/tomorrow.wav").path
        let result = try tool.run("transcribe", speech, "--language", "en", "--output-dir", "out", "--skip-existing")
        #expect(result.code == 0)
        #expect(try tool.text("out/tomorrow.txt") == "Tomorrow is Friday.\n")
    }
}

/// Signals and closed pipes.
///
/// The audio comes from a pipe that the test holds open, so nothing depends on speed.
@Suite struct InterruptCommandTests {
    private let tool = StenoTool(environment: StenoTool.nano)
    private let speech = Fixtures.file("sounds/tomorrow.wav")

    /// One file is finished, and the audio of the next never arrives.
    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func aSignalEndsTheCommandAndKeepsFinishedFiles(signal: Int32, code: Int32) throws {
        let (audio, errors) = (Pipe(), OutputReader())
        let running = try tool.start(
            ["transcribe", speech.path, "-", "--output-dir", ".", "--output-format", "srt", "--language", "en"]
                + ["--verbose"], input: audio, errors: errors.pipe)
        #expect(errors.wait(for: "wrote"))
        kill(running.process.processIdentifier, signal)
        let result = running.wait()
        withExtendedLifetime((audio, errors)) { #expect(result.code == code) }
        #expect(try tool.names() == ["tomorrow.srt"])
    }

    @Test func aClosedPipeEndsTheCommandQuietly() throws {
        let result = try tool.runShell(
            "{ \"$0\" transcribe \"$1\" \"$1\" --language en; echo $? > code; } | true", speech.path)
        #expect(try result.errors == "" && tool.text("code") == "0\n")
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full here"))
    func aFullDiskIsReported() throws {
        let result = try tool.runShell("\"$0\" transcribe \"$1\" --language en > /dev/full", speech.path)
        #expect(result.code == 1 && result.errors.hasPrefix("steno: standard output: "))
    }
}
