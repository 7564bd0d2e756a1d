#if os(Linux) || os(macOS)
    package import Foundation

    /// The outcome of a program that has ended.
    package struct ProgramResult {
        package var code: Int32
        package var output: String
        package var errors: String
    }

    /// A running program; without a reader its output goes to files, so that no pipe can fill up.
    package struct StartedProgram {
        package let process: Process
        fileprivate let reader: OutputReader?
        fileprivate let output: URL
        fileprivate let errors: URL

        package func wait() -> ProgramResult {
            let read = reader?.readToEnd()
            process.waitUntilExit()
            return ProgramResult(
                code: process.terminationStatus,
                output: read ?? (try? String(contentsOf: output, encoding: .utf8)) ?? "",
                errors: (try? String(contentsOf: errors, encoding: .utf8)) ?? "")
        }
    }

    /// Output of a program as it is written: a test waits for text, not for time to pass.
    package final class OutputReader {
        package let pipe = Pipe()
        private let descriptor: Int32
        private var bytes: [UInt8] = []

        package init() { descriptor = pipe.fileHandleForReading.fileDescriptor }

        /// Reads something else, such as a terminal.
        package init(descriptor: Int32) { self.descriptor = descriptor }

        /// The output read so far.
        package var text: String { String(decoding: bytes, as: UTF8.self) }

        /// Reads until the text appears; false when the output ends first, or nothing arrives for minutes.
        package func wait(for text: String) -> Bool { wait { $0.contains(text) } }

        /// Reads until the text so far is as expected.
        package func wait(until isExpected: (String) -> Bool) -> Bool {
            while !isExpected(text) { guard more() else { return false } }
            return true
        }

        /// The whole output, until the end.
        package func readToEnd() -> String {
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

    /// A program ignores the signals that its parent ignores, such as SIGHUP under nohup and SIGINT in a shell's background; then the
    /// tests that send one would wait for ever.
    private let heededSignals: Void = { for name in [SIGHUP, SIGINT, SIGTERM] { signal(name, SIG_DFL) } }()

    extension TemporaryFolder {
        /// Starts a program in the folder, which is also its home.
        ///
        /// - Parameters:
        ///   - environment: What it has besides the search path, the home and the options of the sanitizers.
        ///   - input: A `Pipe` or a `FileHandle`; nil is an empty input.
        ///   - errors: A `Pipe` or a `FileHandle`; nil is a file.
        package func start(
            _ program: URL, _ arguments: [String], environment: [String: String] = [:], input: Any? = nil,
            output reader: OutputReader? = nil, errors pipe: Any? = nil
        ) throws -> StartedProgram {
            _ = heededSignals
            let process = Process()
            process.executableURL = program
            process.arguments = arguments
            process.currentDirectoryURL = url
            process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": url.path]
                .merging(sanitizerOptions) { $1 }.merging(environment) { $1 }
            process.standardInput = input ?? FileHandle.nullDevice
            let (output, errors) = try (runFile(), runFile())
            process.standardOutput = try reader?.pipe ?? FileHandle(forWritingTo: output) as Any
            process.standardError = try pipe ?? FileHandle(forWritingTo: errors) as Any
            try process.run()
            return StartedProgram(process: process, reader: reader, output: output, errors: errors)
        }

        private func runFile() throws -> URL { try write("", to: ".run/\(UUID().uuidString)") }
    }
#endif
