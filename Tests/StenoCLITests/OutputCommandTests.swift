import Foundation
import StenoTestSupport
import Testing

/// Where transcripts go, and which files are never overwritten.
@Suite(.serialized) struct OutputCommandTests {
    private let tool = StenoTool(environment: StenoTool.nano)
    private let speech = Fixtures.file("sounds/tomorrow.wav")

    private func transcribe(_ arguments: String...) throws -> ProgramResult {
        try tool.start(["transcribe", "--language", "en"] + arguments).wait()
    }

    #if os(Linux)
        private func hostile(_ word: String) throws -> String {
            let model = tool.url("hostile")
            try FileManager.default.copyItem(at: Fixtures.nano, to: model)
            let vocabulary = model.appendingPathComponent("vocabulary.json")
            let changed = try String(contentsOf: vocabulary, encoding: .utf8)
                .replacing(#""\u0120Friday""#, with: "\"\\u0120\(word)\"")
            try Data(changed.utf8).write(to: vocabulary)
            return model.path
        }

        /// A model whose tokens set the title of the window.
        @Test(arguments: [
            ["transcribe"], ["transcribe", "--output-format", "srt"], ["live", "--pace", "fast", "--input"],
        ])
        func textCannotControlTheTerminal(arguments: [String]) throws {
            let line = "exec \"$0\" \"$@\" --language en >&2 2> errors.txt"
            // ESC and BEL, as byte-level tokens are written.
            let model = try hostile(#"\u011b]0;x\u0107"#)
            let (result, text) = try tool.runOnTerminal(
                program: URL(fileURLWithPath: "/bin/sh"),
                ["-c", line, #require(StenoTool.executable).path] + arguments + [speech.path],
                environment: ["STENO_MODEL": model, "TERM": "xterm"])
            #expect(result.code == 0)
            #expect(text.contains("]0;x") && !text.contains("\u{1B}]") && !text.contains("\u{7}"), "\(text)")
        }

        /// Other programs get the text as it is.
        @Test func textForAPipeIsUnchanged() throws {
            let result = try transcribe(speech.path, "--model", hostile(#"\u011bFriday"#))
            #expect(result.code == 0 && result.output == "Tomorrow is \u{1B}Friday.\n")
        }
    #endif

    @Test func theFileNameDeterminesTheFormat() throws {
        for (name, start) in [("a.srt", "1\n00:"), ("a.VTT", "WEBVTT"), ("a.json", "{\n"), ("a.txt", "Tomorrow")] {
            let result = try transcribe(speech.path, "-o", name)
            #expect(result.code == 0 && result.output == "" && result.errors == "")
            #expect(try tool.text(name).hasPrefix(start))
        }
        #expect(try transcribe(speech.path, "--output", "subtitles", "--output-format", "srt").code == 0)
        #expect(try tool.text("subtitles").hasPrefix("1\n00:"))
    }

    @Test func theRecordingIsNeverOverwritten() throws {
        try FileManager.default.copyItem(at: speech, to: tool.url("talk.txt"))
        try FileManager.default.createSymbolicLink(at: tool.url("link.txt"), withDestinationURL: tool.url("talk.txt"))
        let before = try Data(contentsOf: tool.url("talk.txt"))
        for name in ["talk.txt", "./talk.txt", "link.txt"] {
            let result = try transcribe("talk.txt", "-o", name, "--force")
            #expect(result.code == 64 && result.errors.contains("is the input"))
        }
        #expect(try transcribe("talk.txt", "--output-dir", ".").code == 64)
        #expect(try Data(contentsOf: tool.url("talk.txt")) == before)
        // Another file needs --force.
        try tool.folder.write("notes", to: "a.txt")
        let refused = try transcribe(speech.path, "-o", "a.txt")
        #expect(refused.isRefusal(code: 1, "a.txt exists already", "--force"))
        #expect(try tool.text("a.txt") == "notes")
        let note = "steno: \(speech.path): replaced a.txt\n"
        #expect(try transcribe(speech.path, "-o", "a.txt", "--force") == .printed(errors: note))
        #expect(try tool.text("a.txt") == "Tomorrow is Friday.\n")
    }

    @Test func outputMayBeAFolder() throws {
        #expect(try transcribe(speech.path, "-o", "texts/", "-f", "srt,json") == .printed())
        #expect(try tool.names() == ["texts", "texts/tomorrow.json", "texts/tomorrow.srt"])
        let note = "steno: \(speech.path): replaced texts/tomorrow.srt\n"
        #expect(try transcribe(speech.path, "--output-dir", "texts", "-f", "srt") == .printed(errors: note))
        #expect(try transcribe(speech.path, "--output-dir", "texts", "-f", "srt", "--quiet") == .printed())
    }

    @Test func existingTranscriptsAreSkippedBeforeLoadingAModel() throws {
        try tool.folder.write("corrected", to: "out/tomorrow.txt")
        let result = try tool.run(
            "transcribe", speech.path, "--output-dir", "out", "--skip-existing",
            environment: ["STENO_MODEL": "/nowhere"])
        #expect(result == .printed(errors: "steno: 1 of 1 recordings skipped: their transcripts exist\n"))
        let other = Fixtures.file("sounds/norway.wav").path
        #expect(try transcribe(speech.path, other, "--output-dir", "out", "--skip-existing", "--quiet") == .printed())
        #expect(try tool.text("out/norway.txt") == "Have you ever been to Norway?\n")
        // Formats that are missing are written.
        #expect(try transcribe(speech.path, "--output-dir", "out", "-f", "txt,srt", "--skip-existing").code == 0)
        #expect(try tool.text("out/tomorrow.txt") == "corrected")
        #expect(try tool.text("out/tomorrow.srt").contains("-->"))
    }

    /// One failing format affects neither the others nor the text.
    @Test func textThatCannotBeSavedIsPrinted() throws {
        // A folder stands where the file should be.
        try FileManager.default.createDirectory(at: tool.url("out/tomorrow.txt"), withIntermediateDirectories: true)
        let both = try transcribe(speech.path, "--output-dir", "out", "-f", "txt,srt")
        #expect(both.code == 1 && both.output.isEmpty)
        #expect(try tool.text("out/tomorrow.srt").contains("-->"))
        let one = try transcribe(speech.path, "--output-dir", "out")
        #expect(one.code == 1 && !one.output.isEmpty)
        #expect(one.errors.contains("the text is on standard output instead"))
    }

    @Test func permissionsAndLinksArePreserved() throws {
        let file = try tool.folder.write("old", to: "out/tomorrow.txt")
        let other = try tool.folder.write("old", to: "elsewhere/norway.txt")
        chmod(file.path, 0o600)
        try FileManager.default.createSymbolicLink(at: tool.url("out/norway.txt"), withDestinationURL: other)
        let result = try transcribe(speech.path, Fixtures.file("sounds/norway.wav").path, "--output-dir", "out")
        #expect(result.code == 0)
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: tool.url("out/norway.txt").path)
        #expect(link == other.path)
        #expect(try tool.text("elsewhere/norway.txt") == "Have you ever been to Norway?\n")
    }

    @Test func theJSONOfSeveralFilesIsOneNamedLineEach() throws {
        let other = Fixtures.file("sounds/norway.wav").path
        let result = try transcribe(speech.path, other, "-f", "JSON", "--word-timestamps", "--temperature", "0")
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 2)
        for (line, file) in zip(lines, [speech.path, other]) {
            #expect(line.hasPrefix("{\"file\": \"\(file)\", \"text\": "))
            let object = try ProgramResult.printed(String(line)).object()
            #expect(object["file"] as? String == file && object["segments"] is [Any])
        }
    }
}

/// `--speakers` and `steno speakers`, with the bundled networks.
@Suite(.serialized) struct SpeakerCommandTests {
    private let tool = StenoTool()
    private let speech = Fixtures.bundledSample("inaugural-1961.wav")
    private func steno(_ arguments: String...) throws -> ProgramResult {
        let environment = ["STENO_MODEL": Fixtures.nano.path, "STENO_SPEAKERS": tool.url("voices.json").path]
        return try tool.start(arguments, environment: environment).wait()
    }

    @Test func oneSpeakerHasTheEnrolledName() throws {
        let labelled = try steno("transcribe", speech.path, "--language", "en", "--speakers", "auto")
        #expect(labelled.code == 0, "\(labelled.errors)")
        let lines = labelled.output.split(separator: "\n")
        #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("Speaker 1: ") }, "\(labelled.output)")
        let none = try steno("speakers", "list")
        #expect(none.code == 0 && none.output == "")
        let enrolled = try steno("speakers", "enroll", "Ada", speech.path)
        #expect(enrolled.code == 0 && enrolled.output.hasPrefix("Ada is enrolled"), "\(enrolled.errors)")
        #expect(try steno("speakers", "list").output.hasPrefix("Ada"))
        let named = try steno("transcribe", speech.path, "--language", "en", "--speakers", "1", "-f", "rttm")
        #expect(named.output.hasPrefix("SPEAKER recording 1 ") && named.output.contains(" Ada <NA>"))
        #expect(try steno("speakers", "remove", "Ada").code == 0)
        let gone = try steno("speakers", "remove", "Ada")
        #expect(gone.code == 64 && gone.errors.contains("No voice called Ada is enrolled"))
        // Live text has speakers too.
        let result = try steno(
            "live", "--input", speech.path, "--pace", "fast", "--format", "text", "--language", "en", "--speakers")
        // The first words can be final before there is enough speech for a label.
        #expect(result.code == 0 && result.output.contains("Speaker 1: "), "\(result.errors)")
    }
}
