#if Server && (os(Linux) || os(macOS))
    import Foundation
    import Steno
    import StenoTestSupport
    import Testing

    /// Runs the `steno` and `steno-server` built with the tests on their own history.
    struct HistoryTool {
        typealias Result = ProgramResult

        let folder = TemporaryFolder.ofSuite()
        /// The history that the programs find.
        var history: URL { folder.url.appendingPathComponent("history") }

        func history(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
            try run(program("steno-server"), ["history"] + arguments, environment: environment)
        }

        /// Runs a line of shell: `$0` is `steno`, `$1` is `steno-server`, then the arguments.
        func shell(_ line: String, _ arguments: String..., environment: [String: String] = [:]) throws -> Result {
            let programs = [try program("steno").path, try program("steno-server").path]
            return try run(
                URL(fileURLWithPath: "/bin/sh"), ["-c", line] + programs + arguments, environment: environment)
        }

        func program(_ name: String) throws -> URL { try #require(BuiltTool.executable(name)) }

        private func run(_ program: URL, _ arguments: [String], environment: [String: String]) throws -> Result {
            try start(program, arguments, environment: environment).wait()
        }

        func start(
            _ program: URL, _ arguments: [String], environment: [String: String] = [:], input: Any? = nil
        ) throws -> StartedProgram {
            let own = ["STENO_HISTORY": history.path, "STENO_MODEL": Fixtures.nano.path, "TZ": "UTC"]
            return try folder.start(program, arguments, environment: own.merging(environment) { $1 }, input: input)
        }

        /// Writes the JSON lines of a session with that many final texts, with or without its end.
        func events(_ count: Int, text: String = "number", hasEnd: Bool = true) throws -> URL {
            var events = (0..<count).map { number in
                let segment = LiveSegment.saying(" \(text) \(number)", number, utterance: number / 4)
                return TranscriptionEvent(.final(text: segment.text, segments: [segment]), position: Double(number) + 1)
            }
            if hasEnd { events.append(.init(.state(.finished), position: Double(count))) }
            return try folder.write(events.map { $0.jsonLine + "\n" }.joined(), to: "events.jsonl")
        }
    }
#endif
