#if Server && (os(Linux) || os(macOS))
    import Foundation
    import StenoTestSupport
    import Testing

    /// `steno-server` as people start it, with the nano model, and its output.
    final class ServerProgram {
        private let program: StartedProgram
        private let errors = OutputReader()

        /// Starts it in a folder, which is its home too.
        init(_ arguments: [String], in folder: TemporaryFolder) throws {
            program = try folder.start(
                try #require(BuiltTool.executable("steno-server")),
                arguments + ["--model", Fixtures.nano.path, "--max-sessions", "1"],
                environment: ["XDG_STATE_HOME": folder.url.path],
                errors: errors.pipe)
        }

        // A test that failed must not leave it running.
        deinit { if program.process.isRunning { kill(identifier, SIGKILL) } }

        var identifier: Int32 { program.process.processIdentifier }
        /// Its output so far.
        var text: String { errors.text }

        /// Waits for a text; false if the program ends first.
        func wait(for text: String) -> Bool { errors.wait(for: text) }

        /// The first address printed after some words.
        func address(after words: String) -> URL? {
            text.firstRange(of: words).flatMap {
                URL(string: String(text[$0.upperBound...].prefix { !$0.isWhitespace }))
            }
        }

        /// Waits until it ends.
        var exitCode: Int32 {
            _ = errors.readToEnd()
            return program.wait().code
        }
    }
#endif
