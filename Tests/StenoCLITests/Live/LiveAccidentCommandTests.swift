import Foundation
import Steno
import StenoTestSupport
import Testing

/// Accidents during `steno live`, none of which lose text.
///
/// Tests wait for output, never for time to pass.
@Suite(.timeLimit(.minutes(60))) struct LiveAccidentCommandTests {
    private let tool = StenoTool(environment: StenoTool.nano)
    private let speech = Fixtures.file("sounds/tomorrow.wav")
    private let english = ["live", "--language", "en"]

    private func samples(_ name: String) throws -> [Float] { try AudioFile.open(tool.url(name)).allSamples() }

    private struct Session {
        let running: StartedProgram
        let output = OutputReader()
        private let audio = ProgramInput()

        init(_ tool: StenoTool, _ arguments: [String]) throws {
            running = try tool.start(arguments + ["--input", "-"], input: audio.pipe, output: output)
        }

        /// Runs a line of shell.
        init(_ tool: StenoTool, line: String) throws {
            running = try tool.startShell(line, input: audio.pipe, output: output)
        }

        func hear(_ sound: Data = Data(), silence seconds: Int = 0) {
            audio.write(sound + Data(count: seconds * 32_000))
        }

        /// Waits until the words were heard, before the utterance ends.
        ///
        /// The audio can only end after what is reported here, however slow the reading is.
        func waitForWords() { #expect(output.wait(for: "\"speaking\": true") && output.wait(for: "\"position\": 2.")) }

        func send(_ signal: Int32) { kill(running.process.processIdentifier, signal) }

        func endAudio() throws { try audio.close() }

        func wait() -> ProgramResult { withExtendedLifetime(audio) { running.wait() } }
    }

    private func session(_ arguments: String...) throws -> Session {
        try Session(tool, english + ["--format", "jsonl"] + arguments)
    }

    /// It ends the audio: the last words are still transcribed and saved.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aSignalFinishesTheSession(signal: Int32) throws {
        let session = try session("--save", "a.txt", "--save", "a.srt", "--save-audio", "a.wav")
        try session.hear(StenoTool.stream())
        session.waitForWords()
        session.send(signal)
        let result = session.wait()
        #expect(result.code == 0 && result.errors == "")
        #expect(try StenoTool.events(result.output).last?.state == .finished)
        let spoken = try StenoTool.finalLetters(result.output)
        #expect(try !spoken.isEmpty && StenoTool.letters(tool.text("a.txt")) == spoken)
        #expect(try tool.text("a.srt").hasPrefix("1\n00:00:0"))
        #expect(try samples("a.wav").count > 8_000)
    }

    /// Whether it arrives during finishing or just after.
    @Test(arguments: [SIGINT, SIGTERM]) func aSecondSignalLeavesCompleteFiles(signal: Int32) throws {
        let session = try session("--save", "a.txt", "--save", "a.vtt", "--save-audio", "a.wav")
        try session.hear(StenoTool.stream())
        session.waitForWords()
        session.send(SIGINT)
        #expect(session.output.wait(for: "\"finishing\""))
        session.send(signal)
        let result = session.wait()
        #expect(result.code == 0 || result.code == 128 + signal)
        let state = try #require(StenoTool.events(result.output).last?.state)
        #expect(state == .finished || state == .cancelled)
        #expect(try StenoTool.letters(tool.text("a.txt")) == StenoTool.finalLetters(result.output))
        #expect(try tool.text("a.vtt").hasPrefix("WEBVTT\n\n"))
        #expect(try samples("a.wav").count > 8_000)
    }

    /// Whether loading is over when the signal arrives or not.
    @Test func aSignalWhileTheModelLoadsLeavesNoFile() throws {
        let session = try session("--save", "a.txt", "--save", "a.vtt", "--save-audio", "a.wav")
        #expect(session.output.wait(for: "\"preparing\""))
        session.send(SIGTERM)
        let result = session.wait()
        #expect(result.errors == "" && (result.code == 0 || result.code == 128 + SIGTERM))
        #expect(try tool.names() == [], "there was no audio yet")
        // Ctrl-\ does not finish the session.
        let other = try self.session()
        #expect(other.output.wait(for: "\"running\""))
        other.send(SIGQUIT)
        let quit = other.wait()
        #expect(other.running.process.terminationReason == .uncaughtSignal && quit.code == SIGQUIT)
    }

    /// With `nohup` the session outlives the terminal.
    @Test func anIgnoredHangupStaysIgnored() throws {
        let session = try Session(tool, line: "trap '' HUP; exec \"$0\" live --language en --format jsonl --input -")
        try session.hear(StenoTool.stream())
        #expect(session.output.wait(for: "\"speaking\": true"))
        session.send(SIGHUP)
        session.hear(silence: 10)
        #expect(session.output.wait(for: "\"position\": 10."))
        session.send(SIGTERM)
        #expect(session.wait().code == 0)
    }

    #if os(Linux)
        /// The text up to the last final segment, and all audio but the last seconds, with a header that says so.
        @Test func aKillLeavesTheFinalText() throws {
            let session = try session("--save", "a.txt", "--save", "a.json", "--save-audio", "a.wav")
            try session.hear(StenoTool.stream(), silence: 3)
            #expect(session.output.wait(for: "\"utterance_end\""))
            let spoken = try StenoTool.finalLetters(session.output.text.linesOnly)
            // Files are replaced one after the other, while the recording is written.
            try waitForFile("a.txt") { StenoTool.letters($0).hasPrefix(spoken) }
            try waitForFile("a.json") { StenoTool.letters((try? transcript($0).text) ?? "").hasPrefix(spoken) }
            try waitForFiles { (try? samples("a.wav").count) ?? 0 >= 48_000 }
            session.send(SIGKILL)
            _ = session.wait()
            #expect(try !spoken.isEmpty && StenoTool.letters(tool.text("a.txt")).hasPrefix(spoken))
            #expect(try StenoTool.letters(transcript(tool.text("a.json")).text).hasPrefix(spoken))
            let heard = try AudioFile.open(speech).allSamples() + [Float](repeating: 0, count: 48_000)
            let kept = try samples("a.wav")
            #expect(kept.count >= 48_000 && kept == Array(heard.prefix(kept.count)))
            #expect(try tool.names() == ["a.json", "a.txt", "a.wav"])
        }

        /// It is not held back in a buffer: a reader has it before the process is killed.
        @Test func aKillLeavesTheTextOnThePipe() throws {
            let session = try Session(tool, english)
            try session.hear(StenoTool.stream(), silence: 3)
            // The end of the utterance.
            #expect(session.output.wait(for: "\n"))
            session.send(SIGKILL)
            #expect(session.wait().output.lowercased().contains("tomorrow"))
        }

        private func transcript(_ json: String) throws -> Transcript {
            try JSONDecoder().decode(Transcript.self, from: Data(json.utf8))
        }

        /// Blocks until a file has the expected content: a different thread writes it than the one that prints.
        private func waitForFile(_ name: String, _ isExpected: (String) -> Bool) throws {
            try waitForFiles { isExpected((try? tool.text(name)) ?? "") }
        }

        /// Blocks until the files are as expected, checking whenever one is replaced or written (inotify(7)).
        private func waitForFiles(_ areExpected: () -> Bool) throws {
            let changes = inotify_init1(Int32(IN_CLOEXEC))
            defer { close(changes) }
            let kinds = UInt32(IN_MOVED_TO) | UInt32(IN_MODIFY)
            try #require(inotify_add_watch(changes, tool.folder.url.path, kinds) >= 0)
            #expect(OutputReader(descriptor: changes).wait { _ in areExpected() })
        }
    #endif

    /// As with `| head -1`; the files are kept.
    @Test func aClosedPipeFinishesTheSession() throws {
        let result = try tool.runShell(
            """
            { "$0" live --input "$1" --pace fast --language en --format jsonl --save a.txt --save-audio a.wav; \
            echo $? > code; } | head -1
            """, speech.path)
        #expect(try result.errors == "" && result.output.contains("preparing") && tool.text("code") == "0\n")
        // If the reader left before any audio, there is no file.
        if let text = try? tool.text("a.txt") { #expect(text.isEmpty || text.hasSuffix("\n")) }
        if try tool.names().contains("a.wav") { _ = try samples("a.wav") }
        // A closed standard output is reported.
        let closed = try tool.runShell(
            "\"$0\" live --input \"$1\" --pace fast --language en --format jsonl --save b.txt >&-", speech.path)
        // The text in b.txt depends on how much was heard before the first line was refused.
        #expect(closed.code == 1 && closed.errors.hasPrefix("steno: standard output: "))
    }

    /// Including the words being spoken at that moment.
    @Test func speechBeforeThePipeWasClosedIsKept() throws {
        let session = try session("--save", "a.txt")
        try session.hear(StenoTool.stream())
        // All of the words, since the machine's speed decides how much is heard after the last line read.
        session.waitForWords()
        try session.output.pipe.fileHandleForReading.close()
        session.hear(silence: 1)
        session.running.process.waitUntilExit()
        withExtendedLifetime(session) { #expect(session.running.process.terminationStatus == 0) }
        #expect(try tool.text("a.txt").lowercased().contains("tomorrow"))
    }

    #if os(Linux)
        /// A terminal closed during speech: SIGHUP, and all streams fail.
        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid"), "there is no setsid here"))
        func aClosedTerminalFinishesTheSession() throws {
            let (main, name) = try StenoTool.openTerminal()
            let audio = tool.url("audio").path
            try #require(mkfifo(audio, 0o600) == 0)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
            process.arguments =
                ["-c", "-w", try #require(StenoTool.executable).path] + english
                + ["--input", audio, "--format", "text", "--save", "a.txt", "--save-audio", "a.wav"]
            process.currentDirectoryURL = tool.folder.url
            process.environment = StenoTool.nano.merging(["TERM": "xterm", "HOME": tool.folder.url.path]) { $1 }
                .merging(sanitizerOptions) { $1 }
            let terminal = FileHandle(fileDescriptor: open(name, O_RDWR | O_NOCTTY | O_CLOEXEC), closeOnDealloc: false)
            (process.standardInput, process.standardOutput, process.standardError) = (terminal, terminal, terminal)
            try process.run()
            try terminal.close()
            let writer = FileHandle(fileDescriptor: open(audio, O_RDWR | O_CLOEXEC), closeOnDealloc: true)
            // At the pace of speech, so the words are shown while there is more to hear.
            try writer.write(contentsOf: StenoTool.stream() + Data(count: 96_000))
            #expect(OutputReader(descriptor: main).wait(for: "Tomorrow"))
            close(main)
            process.waitUntilExit()
            try writer.close()
            #expect(process.terminationStatus == 0 || process.terminationStatus == 1)
            #expect(try tool.text("a.txt").lowercased().contains("tomorrow"))
            #expect(try samples("a.wav").count > 8_000)
        }
    #endif

    /// A script that expects the files learns why there are none.
    @Test func aStreamWithoutAudioSaysThatNothingIsSaved() throws {
        try StenoTool.stream().write(to: tool.url("stream.wav"))
        for bytes in [44, 45] {
            let result = try tool.runShell(
                "head -c \(bytes) stream.wav | \"$0\" live --input - --language en --save a.txt --save a.srt "
                    + "--save-audio b.wav")
            #expect(result.code == 0)
            #expect(result.errors.contains("There was no audio, so a.txt, a.srt and b.wav were not written."))
            #expect(try tool.names() == ["stream.wav"])
        }
    }

    /// A file size limit makes writes fail like a full disk.
    @Test func aFullDiskForTheRecordingDoesNotEndTheSession() throws {
        let result = try tool.runShell(
            """
            { \(fileSizeLimit(blocks: 64)); "$0" live --input "$1" --pace fast --language en --format jsonl \
            --save a.txt --save-audio a.wav; echo "code $?"; } 2>&1 | cat
            """, speech.path)
        #expect(result.output.hasSuffix("code 1\n") && result.output.contains("a.wav” cannot be written: "))
        let lines = result.output.split(separator: "\n").filter { $0.hasPrefix("{") }
        let events = try StenoTool.events(lines.joined(separator: "\n"))
        #expect(events.last?.state == .finished && events.compactMap(\.failure).map(\.isFatal) == [false])
        #expect(try tool.text("a.txt").lowercased().contains("tomorrow"))
        _ = try samples("a.wav")
    }

    @Test func aRemovedFolderDoesNotEndTheSession() throws {
        try FileManager.default.createDirectory(at: tool.url("inner"), withIntermediateDirectories: false)
        let session = try session("--save", "inner/a.txt", "--save", "b.txt")
        try session.hear(StenoTool.stream(), silence: 2)
        #expect(session.output.wait(for: "\"utterance_end\""))
        // Renamed first, in one step, since the session may be writing into it.
        try FileManager.default.moveItem(at: tool.url("inner"), to: tool.url("gone"))
        try FileManager.default.removeItem(at: tool.url("gone"))
        try session.hear(Data(contentsOf: speech).dropFirst(44))
        try session.endAudio()
        let result = session.wait()
        #expect(result.code == 1 && result.errors.contains("inner/a.txt cannot be written: "))
        let events = try StenoTool.events(result.output)
        #expect(events.last?.state == .finished && events.compactMap(\.failure).count == 1)
        #expect(events.count { $0.kind == .utteranceEnd } == 2)
        #expect(try StenoTool.letters(tool.text("b.txt")) == StenoTool.finalLetters(result.output))
    }

    /// Not through a link either; `OutputFilesTests` has the other ways.
    @Test func theInputIsNeverOverwritten() throws {
        let input = try Data(contentsOf: speech)
        try input.write(to: tool.url("in.wav"))
        try FileManager.default.createSymbolicLink(at: tool.url("link.wav"), withDestinationURL: tool.url("in.wav"))
        for line in ["--input in.wav --save-audio link.wav", "--input - --save-audio in.wav <in.wav"] {
            let result = try tool.runShell("\"$0\" live --pace fast --language en --force \(line)")
            #expect(result.code == 64 && result.errors.contains("is the input"), "\(line)")
        }
        #expect(try Data(contentsOf: tool.url("in.wav")) == input)
        // Another file needs --force.
        let arguments = english + ["--input", speech.path, "--pace", "fast"]
        let saving = ["--save", "old.txt", "--save-audio", "old.wav"]
        for (name, options) in [("old.txt", saving[..<2]), ("old.wav", saving[2...])] {
            try tool.folder.write("keep me", to: name)
            let refused = try tool.start(arguments + options).wait()
            #expect(refused.isRefusal(code: 1, "\(name) exists already", "--force"))
            #expect(try tool.text(name) == "keep me")
        }
        #expect(try tool.start(arguments + saving + ["--force"]).wait().code == 0)
        for name in ["old.txt", "old.wav"] {
            #expect(try Data(contentsOf: tool.url(name)) != Data("keep me".utf8), "\(name)")
        }
    }

    /// Neither a wrong model name nor a missing recording creates or empties files.
    @Test func aSessionThatFailsToStartChangesNoFile() throws {
        try tool.folder.write("keep me", to: "old.txt")
        for (arguments, code, name) in [
            (["--model", "smal", "--input", speech.path], 66, "smal"), (["--input", "nothing.wav"], 1, "nothing.wav"),
        ] as [([String], Int32, String)] {
            let saving = ["--save", "old.txt", "--force", "--save", "new.srt", "--save-audio", "new.wav"]
            #expect(try tool.start(["live"] + arguments + saving).wait().isRefusal(code: code, name))
            #expect(try tool.text("old.txt") == "keep me" && tool.names() == ["old.txt"])
        }
    }
}

extension String { fileprivate var linesOnly: String { lastIndex(of: "\n").map { String(self[...$0]) } ?? "" } }
