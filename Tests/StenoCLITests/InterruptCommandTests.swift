#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport
    import Testing

    /// Signals and closed pipes.
    ///
    /// The audio comes from a pipe that the test holds open, so nothing depends on speed.
    @Suite struct InterruptCommandTests {
        private let tool = StenoTool(environment: StenoTool.nano)
        private let speech = Fixtures.file("sounds/tomorrow.wav")

        /// One file is finished, and the audio of the next never arrives.
        @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
        func aSignalEndsTheCommandAndKeepsFinishedFiles(signal: Int32, code: Int32) throws {
            let (sound, errors) = (Pipe(), StenoTool.PipeReader())
            let running = try tool.start(
                ["transcribe", speech.path, "-", "--output-dir", ".", "--output-format", "srt", "--language", "en"]
                    + ["--verbose"], input: sound, errors: errors.pipe)
            #expect(errors.wait(for: "wrote"))
            kill(running.process.processIdentifier, signal)
            let result = running.wait()
            withExtendedLifetime((sound, errors)) { #expect(result.code == code) }
            #expect(try tool.names() == ["tomorrow.srt"])
        }

        @Test func aClosedPipeEndsTheCommandQuietly() throws {
            let result = try tool.runShell(
                "{ \"$0\" transcribe \"$1\" \"$1\" --language en; echo $? > code; } | true", speech.path)
            #expect(result.errors == "")
            #expect(try tool.text("code") == "0\n")
        }

        @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full here"))
        func aFullDiskIsReported() throws {
            let result = try tool.runShell("\"$0\" transcribe \"$1\" --language en > /dev/full", speech.path)
            #expect(result.code == 1)
            #expect(result.errors.hasPrefix("steno: standard output: "))
        }
    }
#endif
