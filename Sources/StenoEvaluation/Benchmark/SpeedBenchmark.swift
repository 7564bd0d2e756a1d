public import Foundation
@_spi(Benchmarks) public import Steno
public import StenoCore
@_spi(Benchmarks) import StenoWhisper

/// Measures the speed of a model on this machine: each part of the work, several times.
@_spi(Benchmarks) public struct SpeedBenchmark: Sendable {
    /// A part of the work that can be measured separately.
    public enum Part: String, Sendable, CaseIterable, LosslessStringConvertible {
        /// The stages of one window; only of Whisper models.
        case window
        /// The transcription of an audio file.
        case audio
        /// A new process: start-up time and memory.
        case start

        /// Reads a part's name.
        public init?(_ description: String) { self.init(rawValue: description) }

        /// The part's name.
        public var description: String { rawValue }
    }

    /// Called with the current step.
    public typealias Progress = @Sendable (String) -> Void

    /// The number of measured runs, after a warm-up; 1 or more.
    public var runs = 7
    /// The number of tokens timed per run, 1 or more, limited by the model.
    public var tokens = 64
    /// The parts to measure.
    public var parts = Set(Part.allCases)
    /// The audio file; without one, that part is skipped.
    public var audio: URL?
    /// The options for the audio file.
    public var options = TranscriptionOptions()

    /// Creates a benchmark of all parts.
    public init() {}

    /// Measures a loaded model.
    ///
    /// - Parameters:
    ///   - name: The name of the model in the report.
    ///   - freshProcess: The command that starts a new process with the same model; nil skips that part.
    /// - Throws: `StenoError`: `modelUnsupported` if the model has none of the parts, `measurementFailed`;
    ///   `CancellationError`.
    public func run(
        _ transcriber: Transcriber, name: String, freshProcess: FreshProcess? = nil,
        progress: @escaping Progress = { _ in }
    ) async throws -> SpeedReport {
        try await Worker.run("steno.bench") { flag in
            let model = transcriber.model
            var report = SpeedReport(model: name, model.information, runs: runs, tokens: tokens)
            let rounds = BenchmarkRounds(runs: runs, isCancelled: { flag.isCancelled }, progress: progress)
            if parts.contains(.window) {
                if let model = model as? WhisperModel {
                    try measureWindow(model, rounds, &report)
                } else if parts.count == 1 {
                    throw StenoError(
                        .modelUnsupported,
                        "Only Whisper models have windows whose stages can be measured. Measure audio and start.")
                }
            }
            if parts.contains(.audio) { try measureAudio(model, rounds, flag, &report) }
            if parts.contains(.start), let freshProcess {
                try rounds.go("start", &report) { try freshProcess.measure(Stopwatch(), flag: flag).figures }
            }
            return report
        }
    }

    private func measureWindow(_ model: WhisperModel, _ rounds: BenchmarkRounds, _ report: inout SpeedReport) throws {
        let window = try WindowStages(model)
        report.tokens = min(max(1, tokens), window.stepLimit)
        let benchmark = WindowBenchmark(tokens: report.tokens, stopwatch: Stopwatch())
        try rounds.go("window", &report) { try benchmark.round(window) }
    }

    private func measureAudio(
        _ model: any SpeechModel, _ rounds: BenchmarkRounds, _ flag: CancellationFlag, _ report: inout SpeedReport
    ) throws {
        guard let audio else { return }
        var seconds = 0.0
        try rounds.go("audio", &report) {
            let elapsed = try Stopwatch().milliseconds {
                seconds = try model.transcribe(
                    flag.open { try AudioFile.open(audio) }, options: options, isCancelled: { flag.isCancelled }
                ).duration
            }
            return [.audio: elapsed]
        }
        (report.audioName, report.audioSeconds) = (audio.lastPathComponent, seconds)
    }
}

/// The stages of a window that are timed.
protocol StagedWindow {
    func computeFeatures() throws
    func encode()
    func fillCrossAttentionCache()
    func start(beams: Int) throws
    func step() throws
}

extension WindowStages: StagedWindow {}

struct WindowBenchmark {
    /// The number of tokens timed per run.
    let tokens: Int
    let stopwatch: Stopwatch

    /// Runs all stages once: each round measures every figure, so that a slow moment affects all of them.
    func round(_ window: some StagedWindow) throws -> [SpeedFigure: Double] {
        var figures: [SpeedFigure: Double] = [:]
        figures[.logMel] = try stopwatch.milliseconds { try window.computeFeatures() }
        figures[.encode] = stopwatch.milliseconds { window.encode() }
        figures[.crossAttentionCache] = stopwatch.milliseconds { window.fillCrossAttentionCache() }
        figures[.prompt] = try stopwatch.milliseconds { try window.start(beams: 1) }
        figures[.greedyToken] = try step(window)
        try window.start(beams: 5)
        figures[.beamStep] = try step(window)
        return figures
    }

    private func step(_ window: some StagedWindow) throws -> Double {
        try stopwatch.milliseconds { for _ in 0..<tokens { try window.step() } } / Double(tokens)
    }
}

struct BenchmarkRounds {
    /// The number of measured rounds.
    let runs: Int
    let isCancelled: () -> Bool
    let progress: (String) -> Void

    /// Runs one warm-up round, since caches are cold and memory is untouched at first, and then measures.
    func go(_ name: String, _ report: inout SpeedReport, _ round: () throws -> [SpeedFigure: Double]) throws {
        for run in 0...max(1, runs) {
            guard !isCancelled() else { throw CancellationError() }
            progress(run == 0 ? "\(name): warming up" : "\(name): \(run) of \(runs)")
            let measurements = try round()
            if run > 0 { report.add(measurements) }
        }
    }
}

/// Measures time; tests use their own clock.
@_spi(Benchmarks) public struct Stopwatch: Sendable {
    /// The time since a fixed moment.
    public typealias Clock = @Sendable () -> Duration

    private let clock: Clock

    /// Creates a stopwatch on a clock.
    public init(_ clock: @escaping Clock) { self.clock = clock }

    /// Creates a stopwatch with the system's monotonic clock.
    public init() {
        let origin = ContinuousClock.now
        clock = { origin.duration(to: .now) }
    }

    /// The duration of some work in milliseconds.
    public func milliseconds(_ work: () throws -> Void) rethrows -> Double {
        let start = clock()
        try work()
        return milliseconds(since: start)
    }

    func now() -> Duration { clock() }

    func milliseconds(since start: Duration) -> Double {
        let (seconds, attoseconds) = (clock() - start).components
        return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    }
}
