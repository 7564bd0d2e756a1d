#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport

    /// Runs the command that was built beside the tests, as a shell would.
    struct StenoTool {
        /// What a finished run left behind.
        struct Result {
            var code: Int32
            var output: String
            var errors: String
        }

        /// A run that goes on; its output is in files, so that no pipe can fill up.
        struct Running {
            let process: Process
            fileprivate let output: URL
            fileprivate let errors: URL

            var outputSoFar: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

            func wait() -> Result {
                process.waitUntilExit()
                return Result(
                    code: process.terminationStatus, output: outputSoFar,
                    errors: (try? String(contentsOf: errors, encoding: .utf8)) ?? "")
            }
        }

        /// The command beside the test bundle, in debug and in release; nil when it was not built.
        static let executable = BuiltTool.executable("steno")

        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// Starts the command in the temporary folder, with no models but those a test puts there.
        func start(
            _ arguments: [String], environment: [String: String] = [:], input: Any? = nil, errors: Pipe? = nil
        ) throws -> Running {
            try start(Self.path(), arguments, environment: environment, input: input, errors: errors)
        }

        func run(_ arguments: String..., environment: [String: String] = [:], input: Any? = nil) throws -> Result {
            try start(arguments, environment: environment, input: input).wait()
        }

        /// Runs a line of shell, in which `$0` is the command and `$1` and so on are the arguments.
        func runShell(_ line: String, _ arguments: String..., environment: [String: String] = [:]) throws -> Result {
            let shell = URL(fileURLWithPath: "/bin/sh")
            let all = ["-c", line, try Self.path().path] + arguments
            return try start(shell, all, environment: environment, input: nil, errors: nil).wait()
        }

        private static func path() throws -> URL {
            guard let executable else { throw CocoaError(.fileNoSuchFile) }
            return executable
        }

        private func start(
            _ executable: URL, _ arguments: [String], environment: [String: String], input: Any?, errors pipe: Pipe?
        ) throws -> Running {
            let process = Process()
            process.executableURL = executable
            process.arguments = arguments
            process.currentDirectoryURL = folder.url
            process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": folder.url.path]
                .merging(environment) { $1 }
            process.standardInput = input ?? FileHandle.nullDevice
            let (output, errors) = try (file(), file())
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = try pipe ?? FileHandle(forWritingTo: errors) as Any
            try process.run()
            return Running(process: process, output: output, errors: errors)
        }

        private func file() throws -> URL { try folder.write("", to: ".run/\(UUID().uuidString)") }
    }
#endif
