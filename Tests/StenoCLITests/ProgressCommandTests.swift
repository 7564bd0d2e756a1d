#if os(Linux)
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import Steno

    /// The progress line on various terminals.
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
