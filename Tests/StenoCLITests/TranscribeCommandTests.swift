import Foundation
import StenoTestSupport
import Testing

@testable import Steno

/// The built command as a process, on the nano model.
///
/// These need the engine, so run them in a release build.
@Suite(.serialized) struct TranscribeCommandTests {
    private let tool = StenoTool(environment: StenoTool.nano)
    private let speech = Fixtures.file("sounds/tomorrow.wav").path
    private let other = Fixtures.file("sounds/norway.wav").path

    @Test func onlyTextGoesToStandardOutput() throws {
        let result = try tool.run("transcribe", speech, other, "--language", "en")
        #expect(result.code == 0)
        #expect(result.output == "Tomorrow is Friday.\nHave you ever been to Norway?\n")
        #expect(result.errors == "")
    }

    @Test func timestampsAreOptional() throws {
        let result = try tool.run("transcribe", speech, "--language", "en", "--timestamps")
        #expect(result.output.hasPrefix("[00:00.") && result.output.hasSuffix("] Tomorrow is Friday.\n"))
    }

    @Test func fileErrorsAreReportedOnce() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: speech))
        let cut = tool.url("cut.wav")
        try bytes.prefix(bytes.count - 8_000).write(to: cut)
        let header = tool.url("header.wav")
        try bytes.prefix(44).write(to: header)
        for more in [[], ["--batch-size", "2"], ["--output-dir", "out"]] {
            let result = try tool.start(["transcribe", cut.path, header.path, "--language", "en"] + more).wait()
            #expect(result.code == 0)
            #expect(result.errors.components(separatedBy: "cut.wav” is cut off after").count == 2, "\(result.errors)")
            #expect(result.errors.components(separatedBy: "header.wav” is cut off after 0.0 s").count == 2)
        }
    }

    @Test func everyInputGetsAFilePerFormat() throws {
        let result = try tool.run("transcribe", speech, other, "--output-format", "all", "--output-dir", "out/put")
        #expect(result.code == 0)
        #expect(result.output == "")
        let names = try FileManager.default.contentsOfDirectory(atPath: tool.folder.url.path + "/out/put")
        let expected = ["norway", "tomorrow"].flatMap { name in
            ["json", "lrc", "srt", "tsv", "txt", "vtt"].map { "\(name).\($0)" }
        }
        #expect(names.sorted() == expected)
    }

    @Test func cuesGetTheTimesOfTheirWords() throws {
        let result = try tool.run(
            "transcribe", other, "--language", "en", "--output-format", "vtt", "--split-cues", "--karaoke")
        #expect(result.errors == "")
        #expect(result.output.contains("<c>Have</c> <00:00."))
        #expect(result.output.contains("><c>Norway?</c>\n"))
    }

    @Test func aFailingFileDoesNotStopTheOthers() throws {
        let result = try tool.run("transcribe", "nowhere.wav", speech, "--language", "en")
        #expect(result.code == 1)
        #expect(result.output == "Tomorrow is Friday.\n")
        #expect(result.errors.hasPrefix("steno: nowhere.wav: "))
        #expect(result.errors.split(separator: "\n").count == 1)
    }

    @Test func verboseShowsWhatIsUsed() throws {
        let result = try tool.run("transcribe", speech, "--verbose")
        for part in [Fixtures.nano.path, "computing in", "threads", "the language is", "times as fast as speech"] {
            #expect(result.errors.contains(part), "\(part)")
        }
    }

    @Test func audioWithoutSpeechGivesNoText() throws {
        let hum = Fixtures.file("nano-eval/nospeech-noise.flac").path
        let result = try tool.run("transcribe", hum, "--language", "en", "--vad-filter", "--output-format", "json")
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        #expect(object?["text"] as? String == "")
        #expect(object?["duration_after_vad"] as? Double == 0)
        #expect(try #require(object?["duration"] as? Double) > 1)
    }

    /// Texts are in the order of the files, whichever finishes first; failures are reported among them.
    @Test func severalFilesAtOnce() throws {
        let together = try tool.run(
            "transcribe", "--language", "en", "--batch-size", "3", "--clip-timestamps", "0", other, speech,
            "nowhere.wav", speech, other)
        #expect(together.code == 1)
        #expect(
            together.output == """
                Have you ever been to Norway?
                Tomorrow is Friday.
                Tomorrow is Friday.
                Have you ever been to Norway?

                """)
        #expect(together.errors.hasPrefix("steno: nowhere.wav: "))
        #expect(together.errors.split(separator: "\n").count == 1)
    }

    @Test func severalFilesAtOnceMayIncludePipes() throws {
        let sound = try FileHandle(forReadingFrom: URL(fileURLWithPath: other))
        let result = try tool.run(
            "transcribe", speech, "-", "--language", "en", "--batch-size", "2", "--output-dir", "out",
            "--output-format", "json", "--verbose", input: sound)
        #expect(result.code == 0)
        #expect(result.output == "")
        for (name, text) in [("tomorrow", "Tomorrow is Friday."), ("stdin", "Have you ever been to Norway?")] {
            let file = tool.url("out/\(name).json")
            let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
            #expect(object?["text"] as? String == text)
            #expect(object?["duration_after_vad"] as? Double != nil)
        }
    }

    @Test func detectLanguagePrintsCodeProbabilityAndFile() throws {
        let result = try tool.run("detect-language", speech)
        #expect(result.code == 0)
        let fields = result.output.split(separator: "\t")
        #expect(fields.count == 3)
        #expect(Double(fields[1]).map { (0...1).contains($0) } == true)
        #expect(try tool.run("detect-language", speech, "--all").output.hasPrefix(result.output))
        let json = try tool.run("detect-language", speech, "--json")
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(object?["language"] as? String == String(fields[0]))
    }

    /// The command out of the box, with real speech and no model named or installed.
    @Test func theBundledModelTranscribesTheInauguralAddress() throws {
        let sound = Fixtures.bundledSample("inaugural-1961.wav")
        let result = try StenoTool().run("transcribe", sound.path, "--verbose")
        #expect(result.output.contains("ask not what your country can do for you"))
        #expect(result.errors.contains("bundled Whisper base"))
    }
}

#if os(Linux)
    @Suite struct ProgressCommandTests {
        private let tool = StenoTool()

        /// The command's standard error on a terminal.
        private func progress(columns: UInt16, term: String, _ arguments: String...) throws -> String {
            let (terminal, name) = try StenoTool.openTerminal(columns: columns)
            defer { close(terminal) }
            let end = FileHandle(fileDescriptor: open(name, O_RDWR | O_NOCTTY | O_CLOEXEC), closeOnDealloc: false)
            let running = try tool.start(
                ["transcribe", Fixtures.file("sounds/tomorrow.wav").path, "--language", "en"] + arguments,
                environment: ["STENO_MODEL": Fixtures.nano.path, "TERM": term], errors: end)
            // Reading ends with the command, which alone has it open by then.
            try end.close()
            let text = StenoTool.PipeReader(descriptor: terminal).readToEnd()
            let result = running.wait()
            #expect(result.code == 0 && result.output == "Tomorrow is Friday.\n")
            return text
        }

        @Test(arguments: [80, 20, 5] as [UInt16]) func theLineFitsTheTerminal(columns: UInt16) throws {
            let lines = try progress(columns: columns, term: "xterm").components(separatedBy: "\r\u{1B}[K")
            #expect(lines.count > 1 && lines.last == "")
            for line in lines { #expect(TextWidth.of(line) < Int(columns), "\(line)") }
        }

        @Test(arguments: ["dumb", ""]) func terminalsWithoutEscapesGetNone(term: String) throws {
            #expect(try progress(columns: 80, term: term) == "")
        }

        @Test func quietIsQuiet() throws { #expect(try progress(columns: 80, term: "xterm", "--quiet") == "") }
    }
#endif
