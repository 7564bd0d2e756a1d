#if os(Linux)
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import Steno

    /// The progress line on terminals of any kind.
    @Suite struct ProgressCommandTests {
        private let tool = StenoTool()

        /// What the command writes to a terminal as standard error.
        private func progress(columns: UInt16, term: String, _ arguments: String...) throws -> String {
            // Not for the programs of other tests, which would keep it open.
            let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            defer { close(terminal) }
            // Unlocks the other end and asks for its number (TIOCSPTLCK and TIOCGPTN, which Swift does not import).
            var (lock, number): (Int32, UInt32) = (0, 0)
            var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            try #require(terminal >= 0 && ioctl(terminal, 0x4004_5431, &lock) == 0)
            try #require(ioctl(terminal, 0x8004_5430, &number) == 0)
            try #require(ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
            let name = "/dev/pts/\(number)"
            let end = FileHandle(fileDescriptor: open(name, O_RDWR | O_NOCTTY | O_CLOEXEC), closeOnDealloc: false)
            let running = try tool.start(
                ["transcribe", Fixtures.file("sounds/tomorrow.wav").path, "--language", "en"] + arguments,
                environment: ["STENO_MODEL": Fixtures.nano.path, "TERM": term], errors: end)
            // Reading ends when the command, the only one who has it open then, ends.
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

        @Test(arguments: ["dumb", ""]) func aTerminalWithoutEscapesGetsNone(term: String) throws {
            #expect(try progress(columns: 80, term: term) == "")
        }

        @Test func quietIsQuiet() throws {
            #expect(try progress(columns: 80, term: "xterm", "--quiet") == "")
        }
    }
#endif
