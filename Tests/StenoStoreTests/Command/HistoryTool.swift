#if Server && (os(Linux) || os(macOS))
    import Foundation
    import Steno
    import StenoTestSupport
    import Testing

    /// Runs `steno` and `steno-server`, which were built beside the tests, on a history of their own.
    struct HistoryTool {
        struct Result {
            var code: Int32
            var output: String
            var errors: String
        }

        let folder: TemporaryFolder
        /// The history that the programs find.
        var history: URL { folder.url.appendingPathComponent("history") }

        init() throws { folder = try TemporaryFolder() }

        /// Runs `steno-server history`.
        func history(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
            try run(program("steno-server"), ["history"] + arguments, environment: environment)
        }

        /// Runs a line of shell, in which `$0` is `steno`, `$1` is `steno-server`, and others follow.
        func shell(_ line: String, _ arguments: String..., environment: [String: String] = [:]) throws -> Result {
            let programs = [try program("steno").path, try program("steno-server").path]
            return try run(
                URL(fileURLWithPath: "/bin/sh"), ["-c", line] + programs + arguments, environment: environment)
        }

        func program(_ name: String) throws -> URL { try #require(BuiltTool.executable(name)) }

        private func run(_ program: URL, _ arguments: [String], environment: [String: String]) throws -> Result {
            let process = process(program, arguments, environment: environment)
            let name = UUID().uuidString
            let (output, errors) = (try folder.write("", to: "\(name).out"), try folder.write("", to: "\(name).err"))
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = try FileHandle(forWritingTo: errors)
            try process.run()
            process.waitUntilExit()
            defer { for file in [output, errors] { try? FileManager.default.removeItem(at: file) } }
            return Result(
                code: process.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
                errors: try String(contentsOf: errors, encoding: .utf8))
        }

        /// A process in the temporary folder that has not been started.
        func process(_ program: URL, _ arguments: [String], environment: [String: String] = [:]) -> Process {
            let process = Process()
            process.executableURL = program
            process.arguments = arguments
            process.currentDirectoryURL = folder.url
            process.environment = [
                "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": folder.url.path,
                "STENO_HISTORY": history.path, "STENO_MODEL": Fixtures.nano.path, "TZ": "UTC",
            ].merging(sanitizerOptions) { $1 }.merging(environment) { $1 }
            process.standardInput = FileHandle.nullDevice
            return process
        }

        /// Writes lines of JSON: a session of as many final texts, with or without its end.
        func events(_ count: Int, text: String = "number", hasEnd: Bool = true) throws -> URL {
            var events = (0..<count).map { number in
                let segment = TranscriptSegment.saying(" \(text) \(number)", number, utterance: number / 4)
                return TranscriptionEvent.final(
                    text: segment.text, segments: [segment], position: Double(number) + 1)
            }
            if hasEnd { events.append(.state(.finished, position: Double(count))) }
            return try folder.write(events.map { $0.jsonLine + "\n" }.joined(), to: "events.jsonl")
        }
    }
#endif
