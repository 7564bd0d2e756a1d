public import Foundation
public import Steno
import StenoCore
@_spi(Benchmarks) import StenoWhisper

#if os(Linux) || os(macOS)
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
            let process = try PipedProcess(executable.path, arguments: arguments, input: .openForReading("/dev/null"))
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

/// The start-up times and the peak memory of a new process.
struct ProcessStart: Hashable {
    /// Milliseconds from the start to the loaded model.
    var loaded: Double
    /// Milliseconds from the start to the first token; nil for a model that does not report it.
    var firstToken: Double?
    /// The peak memory, in MB, after a whole window.
    var peakMegabytes: Double

    /// The lines with which the process reports its progress.
    enum Report {
        static let loaded = "loaded"
        static let firstToken = "first token"

        static func peak(_ megabytes: Double) -> String { "peak \(megabytes)" }
    }

    /// Reads the lines of a process as they arrive.
    ///
    /// - Parameter next: Waits for the next line; nil at the end.
    /// - Returns: nil when the process ended before it had reported everything.
    init?(start: Duration, _ stopwatch: Stopwatch, next: () throws -> String?) rethrows {
        guard try next() == Report.loaded else { return nil }
        loaded = stopwatch.milliseconds(since: start)
        var line = try next()
        if line == Report.firstToken {
            firstToken = stopwatch.milliseconds(since: start)
            line = try next()
        }
        guard let line, line.hasPrefix("peak "), let peak = Double(line.dropFirst(5)) else { return nil }
        peakMegabytes = peak
    }

    var figures: [SpeedFigure: Double] {
        var figures: [SpeedFigure: Double] = [.load: loaded, .peakMemory: peakMegabytes]
        figures[.coldStart] = firstToken
        return figures
    }
}

/// The peak memory of this process.
@_spi(Benchmarks) public enum PeakMemory {
    /// The peak of the resident set, in MB (a million bytes); NaN if it is unknown.
    public static var megabytes: Double { bytes / 1e6 }

    #if os(Linux)
        // Not getrusage: its peak survives exec, so a child would start with its parent's peak.
        private static var bytes: Double {
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            return kilobytes(in: status).map { $0 * 1024 } ?? .nan
        }

        /// The line `VmHWM:    123456 kB`.
        static func kilobytes(in status: String) -> Double? {
            status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
                .flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }
                .flatMap { Double($0) }
        }
    #else
        private static var bytes: Double {
            var usage = rusage()
            return getrusage(RUSAGE_SELF, &usage) == 0 ? Double(usage.ru_maxrss) : .nan
        }
    #endif
}
