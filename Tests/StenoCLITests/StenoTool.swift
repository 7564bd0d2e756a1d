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

        /// A run that is under way; its output is in files, so that no pipe can fill up, unless a reader was given.
        struct Running {
            let process: Process
            fileprivate let reader: PipeReader?
            fileprivate let output: URL
            fileprivate let errors: URL

            func wait() -> Result {
                let read = reader?.readToEnd()
                process.waitUntilExit()
                return Result(
                    code: process.terminationStatus,
                    output: read ?? (try? String(contentsOf: output, encoding: .utf8)) ?? "",
                    errors: (try? String(contentsOf: errors, encoding: .utf8)) ?? "")
            }
        }

        /// Standard output as it is written: a test waits for text, not for time to pass.
        final class PipeReader {
            let pipe = Pipe()
            private let descriptor: Int32
            private var bytes: [UInt8] = []

            init() { descriptor = pipe.fileHandleForReading.fileDescriptor }

            /// Reads something else, such as a terminal.
            init(descriptor: Int32) { self.descriptor = descriptor }

            /// What was read so far.
            var text: String { String(decoding: bytes, as: UTF8.self) }

            /// Reads until the text appears; false when the output ends first, or nothing arrives for minutes.
            func wait(for text: String) -> Bool {
                wait { $0.contains(text) }
            }

            /// Reads until the text so far is as expected.
            func wait(until isExpected: (String) -> Bool) -> Bool {
                while !isExpected(text) { guard more() else { return false } }
                return true
            }

            /// The whole output, until the end.
            func readToEnd() -> String {
                while more() {}
                return text
            }

            private func more() -> Bool {
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                // The limit is for a command that hangs; a busy machine does not reach it.
                guard poll(&entry, 1, 300_000) == 1 else { return false }
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                let count = read(entry.fd, &buffer, buffer.count)
                bytes += buffer[..<max(0, count)]
                return count > 0
            }
        }

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
            try start(
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
            return try start(shell, all, environment: environment, input: nil, output: nil, errors: nil).wait()
        }

        /// Starts a line of shell, in which `$0` is the command.
        func startShell(
            _ line: String, environment: [String: String] = [:], input: Any? = nil, output: PipeReader? = nil
        ) throws -> Running {
            let shell = URL(fileURLWithPath: "/bin/sh")
            return try start(
                shell, ["-c", line, try Self.path().path], environment: environment, input: input, output: output,
                errors: nil)
        }

        private static func path() throws -> URL {
            guard let executable else { throw CocoaError(.fileNoSuchFile) }
            return executable
        }

        private func start(
            _ executable: URL, _ arguments: [String], environment: [String: String], input: Any?,
            output reader: PipeReader?, errors pipe: Any?
        ) throws -> Running {
            let process = Process()
            process.executableURL = executable
            process.arguments = arguments
            process.currentDirectoryURL = folder.url
            process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": folder.url.path]
                .merging(sanitizerOptions) { $1 }.merging(environment) { $1 }
            process.standardInput = input ?? FileHandle.nullDevice
            let (output, errors) = try (file(), file())
            process.standardOutput = try reader?.pipe ?? FileHandle(forWritingTo: output) as Any
            process.standardError = try pipe ?? FileHandle(forWritingTo: errors) as Any
            try process.run()
            return Running(process: process, reader: reader, output: output, errors: errors)
        }

        private func file() throws -> URL { try folder.write("", to: ".run/\(UUID().uuidString)") }
    }
#endif
