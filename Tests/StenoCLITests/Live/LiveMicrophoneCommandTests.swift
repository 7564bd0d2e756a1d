#if os(Linux)
    import Foundation
    import Steno
    import StenoTestSupport
    import Testing

    /// `steno live` with a misbehaving microphone; shell scripts replace the recording programs.
    @Suite(.timeLimit(.minutes(60))) struct LiveMicrophoneCommandTests {
        private let tool = StenoTool()
        private let environment: [String: String]

        init() throws {
            environment = ["STENO_MODEL": Fixtures.nano.path, "PATH": tool.folder.url.path + "/bin:/usr/bin:/bin"]
            // Too old, so that PulseAudio's is used.
            try script("pw-record", "echo 'pw-record [options] <file>'")
            try script(
                "pactl",
                """
                case "$*" in
                *sources) echo '[{"name": "mic", "description": "A Microphone",
                    "sample_specification": "s16le 1ch 16000Hz", "properties": {"device.class": "sound"}},
                    {"name": "headset", "description": "A Headset",
                    "sample_specification": "s16le 1ch 16000Hz", "properties": {"device.class": "sound"}}]';;
                *) echo '{"default_source_name": "mic"}';;
                esac
                """)
            // Devices are listed with another program than the one that records, which must exist.
            try script("parec", "exit 1")
            let samples = try Data(contentsOf: Fixtures.file("sounds/tomorrow.wav")).dropFirst(44)
            try samples.write(to: tool.url("speech.raw"))
        }

        private func script(_ program: String, _ text: String) throws {
            try tool.folder.script(text, as: "bin/\(program)")
        }

        private func start(_ arguments: String..., output: OutputReader? = nil) throws -> StartedProgram {
            try tool.start(["live", "--language", "en"] + arguments, environment: environment, output: output)
        }

        @Test func theDevicesAreListedAndTheNamedOneIsUsed() throws {
            let result = try tool.start(["live", "--list-devices"], environment: environment).wait()
            #expect(result == .printed("mic\tA Microphone (default)\nheadset\tA Headset\n"))
            // The named one is used.
            try script("parec", "echo \"$*\" > arguments; cat speech.raw; head -c 64000 /dev/zero")
            #expect(try start("--device", "headset").wait().output.lowercased().contains("tomorrow"))
            #expect(try tool.text("arguments").contains("--device=headset"))
        }

        /// The last words are kept and the error is reported.
        @Test func anUnpluggedMicrophoneFinishesTheSession() throws {
            try script("parec", "cat speech.raw; echo 'Connection terminated' >&2; exit 1")
            let result = try start("--save", "a.txt", "--save-audio", "a.wav", "--format", "text").wait()
            #expect(result.code == 1 && result.errors.hasPrefix("steno: "))
            #expect(result.errors.contains("Connection terminated"))
            #expect(result.output.lowercased().contains("tomorrow"))
            #expect(try tool.text("a.txt") == result.output)
            #expect(try AudioFile.open(tool.url("a.wav")).duration ?? 0 > 2)
        }

        /// The sound server does not answer, so there is nothing to finish.
        @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aSignalWhileTheMicrophoneOpens(signal: Int32) throws {
            let asked = tool.url("asked").path
            try #require(mkfifo(asked, 0o600) == 0)
            try script("parec", "")
            try script("pactl", "echo > '\(asked)'; \(endlessProgram)")
            let running = try start("--save", "a.txt", "--save-audio", "a.wav")
            #expect(OutputReader(descriptor: open(asked, O_RDONLY)).wait(for: "\n"))
            kill(running.process.processIdentifier, signal)
            #expect(running.wait() == .printed())
            #expect(try tool.names().filter { $0.hasPrefix("a.") } == [])
        }

        /// Without waiting for a recording program that does not end.
        @Test func aSecondSignalEndsAtOnce() throws {
            let held = tool.url("held").path
            try #require(mkfifo(held, 0o600) == 0)
            // The program reads from it until the test is over.
            let holder = open(held, O_RDWR | O_CLOEXEC)
            defer { close(holder) }
            try script("parec", "trap '' TERM; cat speech.raw; head -c 96000 /dev/zero; exec cat '\(held)'")
            let output = OutputReader()
            let running = try start("--format", "jsonl", "--save", "a.txt", "--save-audio", "a.wav", output: output)
            #expect(output.wait(for: "\"final\""))
            // Different signals, since two equal ones may merge; the system decides which comes first.
            kill(running.process.processIdentifier, SIGINT)
            kill(running.process.processIdentifier, SIGTERM)
            let result = running.wait()
            #expect([128 + SIGINT, 128 + SIGTERM].contains(result.code))
            #expect(try StenoTool.events(result.output).last?.state == .cancelled)
            let spoken = try StenoTool.finalLetters(result.output)
            #expect(try StenoTool.letters(tool.text("a.txt")) == spoken && !spoken.isEmpty)
            #expect(try AudioFile.open(tool.url("a.wav")).duration ?? 0 > 2)
        }
    }
#endif
