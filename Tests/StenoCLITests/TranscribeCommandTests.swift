import Foundation
import StenoTestSupport
import Testing

@testable import Steno

/// The built command as a process, on the nano model.
@Suite(.serialized) struct TranscribeCommandTests {
    private let tool = StenoTool(environment: StenoTool.nano)
    private let speech = Fixtures.file("sounds/tomorrow.wav").path
    private let other = Fixtures.file("sounds/norway.wav").path

    private func transcribe(_ arguments: String..., input: Any? = nil) throws -> ProgramResult {
        try tool.start(["transcribe", "--language", "en"] + arguments, input: input).wait()
    }

    @Test func onlyTextGoesToStandardOutput() throws {
        #expect(try transcribe(speech, other) == .printed("Tomorrow is Friday.\nHave you ever been to Norway?\n"))
        let result = try transcribe(speech, "--timestamps")
        #expect(result.output.hasPrefix("[00:00.") && result.output.hasSuffix("] Tomorrow is Friday.\n"))
    }

    @Test func fileErrorsAreReportedOnce() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: speech))
        let (cut, header) = (tool.url("cut.wav"), tool.url("header.wav"))
        try bytes.prefix(bytes.count - 8_000).write(to: cut)
        try bytes.prefix(44).write(to: header)
        for more in [[], ["--batch-size", "2"], ["--output-dir", "out"]] {
            let result = try tool.start(["transcribe", cut.path, header.path, "--language", "en"] + more).wait()
            #expect(result.code == 0)
            #expect(result.errors.components(separatedBy: "cut.wav” is cut off after").count == 2, "\(result.errors)")
            #expect(result.errors.components(separatedBy: "header.wav” is cut off after 0.0 s").count == 2)
        }
    }

    @Test func everyInputGetsAFilePerFormat() throws {
        #expect(try transcribe(speech, other, "--output-format", "all", "--output-dir", "out/put") == .printed())
        let names = try FileManager.default.contentsOfDirectory(atPath: tool.folder.url.path + "/out/put")
        let expected = ["norway", "tomorrow"].flatMap { name in
            ["json", "lrc", "srt", "tsv", "txt", "vtt"].map { "\(name).\($0)" }
        }
        #expect(names.sorted() == expected)
    }

    @Test func cuesGetTheTimesOfTheirWords() throws {
        let result = try transcribe(other, "--output-format", "vtt", "--split-cues", "--karaoke")
        #expect(result.errors == "" && result.output.contains("<c>Have</c> <00:00."))
        #expect(result.output.contains("><c>Norway?</c>\n"))
        // Audio without speech gives no text.
        let hum = Fixtures.file("nano-eval/nospeech-noise.flac").path
        let object = try transcribe(hum, "--vad-filter", "--output-format", "json").object()
        #expect(object["text"] as? String == "" && object["duration_after_vad"] as? Double == 0)
        #expect(try #require(object["duration"] as? Double) > 1)
    }

    @Test func verboseShowsWhatIsUsed() throws {
        let result = try tool.run("transcribe", speech, "--verbose")
        for part in [Fixtures.nano.path, "computing in", "threads", "the language is", "times as fast as speech"] {
            #expect(result.errors.contains(part), "\(part)")
        }
        // The command out of the box, with real speech and no model named or installed.
        let sound = Fixtures.bundledSample("inaugural-1961.wav")
        let bundled = try StenoTool().run("transcribe", sound.path, "--verbose")
        #expect(bundled.output.contains("ask not what your country can do for you"))
        #expect(bundled.errors.contains("bundled Whisper base"))
    }

    /// Texts are in the order of the files, whichever finishes first; failures are reported among them.
    @Test func aFailingFileDoesNotStopTheOthers() throws {
        let one = try transcribe("nowhere.wav", speech)
        let together = try transcribe(
            "--batch-size", "3", "--clip-timestamps", "0", other, speech, "nowhere.wav", speech, other)
        let (first, second) = ("Tomorrow is Friday.\n", "Have you ever been to Norway?\n")
        #expect(one.output == first && together.output == second + first + first + second)
        for result in [one, together] {
            #expect(result.code == 1 && result.errors.hasPrefix("steno: nowhere.wav: "))
            #expect(result.errors.split(separator: "\n").count == 1)
        }
    }

    @Test func severalFilesAtOnceMayIncludePipes() throws {
        let result = try transcribe(
            speech, "-", "--batch-size", "2", "--output-dir", "out", "--output-format", "json", "--verbose",
            input: FileHandle(forReadingFrom: URL(fileURLWithPath: other)))
        #expect(result.code == 0 && result.output == "")
        for (name, text) in [("tomorrow", "Tomorrow is Friday."), ("stdin", "Have you ever been to Norway?")] {
            let object = try ProgramResult.printed(tool.text("out/\(name).json")).object()
            #expect(object["text"] as? String == text && object["duration_after_vad"] as? Double != nil)
        }
    }

    @Test func detectLanguagePrintsCodeProbabilityAndFile() throws {
        let result = try tool.run("detect-language", speech)
        let fields = result.output.split(separator: "\t")
        #expect(result.code == 0 && fields.count == 3)
        #expect(Double(fields[1]).map { (0...1).contains($0) } == true)
        #expect(try tool.run("detect-language", speech, "--all").output.hasPrefix(result.output))
        let object = try tool.run("detect-language", speech, "--json").object()
        #expect(object["language"] as? String == String(fields[0]))
    }
}

#if os(Linux)
    @Suite struct ProgressCommandTests {
        private let tool = StenoTool()

        /// The command's standard error on a terminal.
        private func progress(columns: UInt16 = 80, term: String = "xterm", _ arguments: String...) throws -> String {
            let (result, text) = try tool.runOnTerminal(
                ["transcribe", Fixtures.file("sounds/tomorrow.wav").path, "--language", "en"] + arguments,
                environment: ["STENO_MODEL": Fixtures.nano.path, "TERM": term], columns: columns)
            #expect(result.code == 0 && result.output == "Tomorrow is Friday.\n")
            return text
        }

        @Test(arguments: [80, 20, 5] as [UInt16]) func theLineFitsTheTerminal(columns: UInt16) throws {
            let lines = try progress(columns: columns).components(separatedBy: "\r\u{1B}[K")
            #expect(lines.count > 1 && lines.last == "")
            for line in lines { #expect(TextWidth.of(line) < Int(columns), "\(line)") }
        }

        @Test func terminalsWithoutEscapesAndQuietGetNone() throws {
            for term in ["dumb", ""] { #expect(try progress(term: term) == "", "\(term)") }
            #expect(try progress("--quiet") == "")
        }
    }
#endif
