public import Steno
import StenoCore
import StenoWhisper

#if os(Linux) || os(macOS)
    public import Foundation
    @_spi(Benchmarks) import StenoWhisper

    /// A command that loads a model and decodes one window, to measure start-up time from outside.
    @_spi(Benchmarks) public struct FreshProcess: Sendable {
        private let executable: URL
        private let arguments: [String]

        /// Creates a command line; its program must call ``work(tokens:report:load:)``.
        public init(_ executable: URL, arguments: [String]) {
            self.executable = executable
            self.arguments = arguments
        }

        /// The work of the program: one window of ``WindowStages``, or half a minute of audio for a model of another
        /// family than Whisper.
        ///
        /// - Parameters:
        ///   - tokens: The number of tokens after the first, with beam size 5.
        ///   - report: Writes to standard output, unbuffered.
        ///   - load: Loads the model.
        public static func work(
            tokens: Int, report: @escaping @Sendable (String) -> Void, load: @Sendable () async throws -> Transcriber
        ) async throws {
            let model = try await load().model
            report(ProcessStart.Report.loaded + "\n")
            try await Worker.run("steno.bench") { flag in
                guard let model = model as? WhisperModel else {
                    _ = try model.measureRealTimeFactor { flag.isCancelled }
                    return report(ProcessStart.Report.peak(PeakMemory.megabytes) + "\n")
                }
                let window = try WindowStages(model)
                try window.computeFeatures()
                window.encode()
                window.fillCrossAttentionCache()
                try window.start(beams: 5)
                report(ProcessStart.Report.firstToken + "\n")
                for _ in 0..<min(tokens, window.stepLimit) { try window.step() }
                report(ProcessStart.Report.peak(PeakMemory.megabytes) + "\n")
            }
        }

        /// Starts the process and waits for its end.
        func measure(_ stopwatch: Stopwatch, flag: CancellationFlag) throws -> ProcessStart {
            let start = stopwatch.now()
            let process = try PipedProcess(
                executable.path, arguments: arguments, input: .openForReading("/dev/null"))
            flag.whenCancelled { process.end() }
            var lines = PipeLines(process.output)
            let result = ProcessStart(start: start, stopwatch) { lines.next() }
            switch process.waitForEnding() {
            case .success, .unknown:
                if let result { return result }
                throw StenoError(
                    .measurementFailed,
                    "\(executable.path) did not report a measurement. Install the "
                        + "command again.")
            case .failure(let text):
                throw StenoError(.measurementFailed, "\(executable.path) failed while it was measured:\n\(text)")
            case .notStarted(let error):
                throw StenoError(
                    .measurementFailed,
                    "\(executable.path) could not be started: \(error). Install the command "
                        + "again.", underlying: error)
            }
        }
    }
#else
    /// This platform has no child processes.
    @_spi(Benchmarks) public struct FreshProcess: Sendable {
        private init() {}

        func measure(_: Stopwatch, flag _: CancellationFlag) throws -> ProcessStart {
            throw StenoError(
                .measurementFailed,
                "This system cannot start processes. Run the measurement on macOS or "
                    + "Linux.")
        }
    }
#endif
