#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport
    import Testing

    /// Signals and readers that leave.
    ///
    /// The audio comes from a pipe the test holds open, so nothing depends on speed.
    @Suite struct InterruptCommandTests {
        private let tool: StenoTool
        private let speech = Fixtures.file("sounds/tomorrow.wav")
        private let nano = ["STENO_MODEL": Fixtures.nano.path]

        init() throws { tool = try StenoTool() }

        /// Starts a run that finishes one file and then waits for sound that never comes.
        private func startWaiting(sound: Pipe, errors: Pipe) throws -> StenoTool.Running {
            let running = try tool.start(
                ["transcribe", speech.path, "-", "--output-dir", ".", "--output-format", "srt", "--language", "en"]
                    + ["--verbose"], environment: nano, input: sound, errors: errors)
            var said = ""
            while !said.contains("wrote"), case let more = errors.fileHandleForReading.availableData, !more.isEmpty {
                said += String(decoding: more, as: UTF8.self)
            }
            return running
        }

        @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
        func aSignalEndsTheCommandAndLeavesWhatIsFinished(signal: Int32, code: Int32) throws {
            let (sound, errors) = (Pipe(), Pipe())
            let running = try startWaiting(sound: sound, errors: errors)
            kill(running.process.processIdentifier, signal)
            let result = running.wait()
            withExtendedLifetime((sound, errors)) { #expect(result.code == code) }
            let files = try FileManager.default.contentsOfDirectory(atPath: tool.folder.url.path)
            #expect(files.sorted() == [".run", "tomorrow.srt"])
        }

        @Test func aReaderThatLeavesEndsTheCommandQuietly() throws {
            let result = try tool.runShell(
                "{ \"$0\" transcribe \"$1\" \"$1\" --language en; echo $? > code; } | true", speech.path,
                environment: nano)
            #expect(result.errors == "")
            let code = tool.folder.url.appendingPathComponent("code")
            #expect(try String(contentsOf: code, encoding: .utf8) == "0\n")
        }

        @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full here"))
        func aFullDiskIsSaid() throws {
            let result = try tool.runShell(
                "\"$0\" transcribe \"$1\" --language en > /dev/full", speech.path, environment: nano)
            #expect(result.code == 1)
            #expect(result.errors.hasPrefix("steno: standard output: "))
        }
    }
#endif
