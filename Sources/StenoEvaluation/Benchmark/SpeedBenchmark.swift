public import Foundation
@_spi(Benchmarks) public import Steno
import StenoCore
@_spi(Benchmarks) public import StenoWhisper

/// What this machine does with a model: every part of the work, timed several times.
@_spi(Benchmarks) public struct SpeedBenchmark: Sendable {
    /// A part of the work that can be measured alone.
    public enum Part: String, Sendable, CaseIterable, LosslessStringConvertible {
        /// The stages of one window.
        case window
        /// An audio file, as it is transcribed.
        case audio
        /// A new process: its start and its memory.
        case start

        /// Reads a part's name.
        public init?(_ description: String) { self.init(rawValue: description) }

        /// The part's name.
        public var description: String { rawValue }
    }

    /// Told what is done now.
    public typealias Progress = @Sendable (String) -> Void

    /// How often everything is measured, after a first time that does not count.
    public var runs = 7
    /// How many tokens are timed in one piece; at most what the model writes.
    public var tokens = 64
    /// What is measured.
    public var parts = Set(Part.allCases)
    /// The audio file; without one that part is left out.
    public var audio: URL?
    /// How the audio file is decoded.
    public var options = DecodingOptions()

    /// Creates a benchmark of everything.
    public init() {}

    /// Measures a model that is loaded.
    ///
    /// - Parameters:
    ///   - name: What the model is called in the report.
    ///   - freshProcess: How a new process is begun that uses the same model; nil leaves that part out.
    public func run(
        _ transcriber: Transcriber, name: String, freshProcess: FreshProcess? = nil,
        progress: @escaping Progress = { _ in }
    ) async throws -> SpeedReport {
        try await Worker.run("steno.bench") { flag in
            guard let model = transcriber.model as? WhisperModel else {
                throw StenoError(.modelUnsupported, "Only Whisper models can be measured stage by stage.")
            }
            var report = SpeedReport(model: name, model, runs: runs, tokens: tokens)
            let rounds = BenchmarkRounds(runs: runs, isCancelled: { flag.isCancelled }, progress: progress)
            if parts.contains(.window) { try measureWindow(model, rounds, &report) }
            if parts.contains(.audio) { try measureAudio(model, rounds, flag, &report) }
            if parts.contains(.start), let freshProcess {
                try rounds.go("start", &report) { try freshProcess.measure(Stopwatch(), flag: flag).figures }
            }
            return report
        }
    }

    private func measureWindow(_ model: WhisperModel, _ rounds: BenchmarkRounds, _ report: inout SpeedReport) throws {
        let window = try WindowStages(model)
        report.tokens = min(tokens, window.stepLimit)
        let benchmark = WindowBenchmark(tokens: report.tokens, stopwatch: Stopwatch())
        try rounds.go("window", &report) { try benchmark.round(window) }
    }

    private func measureAudio(
        _ model: WhisperModel, _ rounds: BenchmarkRounds, _ flag: CancellationFlag, _ report: inout SpeedReport
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
