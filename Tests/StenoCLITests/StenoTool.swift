#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport

    /// Runs the command that was built beside the tests, as a shell would.
    struct StenoTool {
        typealias Result = ProgramResult
        typealias Running = StartedProgram
        typealias PipeReader = OutputReader

        /// The command beside the test bundle, in debug and in release; nil when it was not built.
        static let executable = BuiltTool.executable("steno")

        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// Starts the command in the temporary folder, with no models but those a test puts there.
        ///
        /// - Parameter program: A copy of the command or a link to it; nil is the one that was built.
        func start(
            program: URL? = nil, _ arguments: [String], environment: [String: String] = [:], input: Any? = nil,
            output: PipeReader? = nil, errors: Any? = nil
        ) throws -> Running {
            try folder.start(
                program ?? Self.path(), arguments, environment: environment, input: input, output: output,
                errors: errors)
        }

        func run(
            program: URL? = nil, _ arguments: String..., environment: [String: String] = [:], input: Any? = nil
        ) throws -> Result {
            try start(program: program, arguments, environment: environment, input: input).wait()
        }

        /// Runs a line of shell, in which `$0` is the command and `$1` and so on are the arguments.
        func runShell(_ line: String, _ arguments: String..., environment: [String: String] = [:]) throws -> Result {
            let shell = URL(fileURLWithPath: "/bin/sh")
            let all = ["-c", line, try Self.path().path] + arguments
            return try folder.start(shell, all, environment: environment).wait()
        }

        /// Starts a line of shell, in which `$0` is the command.
        func startShell(
            _ line: String, environment: [String: String] = [:], input: Any? = nil, output: PipeReader? = nil
        ) throws -> Running {
            let shell = URL(fileURLWithPath: "/bin/sh")
            return try folder.start(
                shell, ["-c", line, try Self.path().path], environment: environment, input: input, output: output)
        }

        private static func path() throws -> URL {
            guard let executable else { throw CocoaError(.fileNoSuchFile) }
            return executable
        }
    }
#endif
