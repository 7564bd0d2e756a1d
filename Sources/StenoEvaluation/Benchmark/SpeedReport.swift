import Foundation
import Steno
@_spi(Benchmarks) import StenoCompute
public import StenoCore

/// The result of a benchmark.
@_spi(Benchmarks) public struct SpeedReport: Sendable {
    /// The model's name.
    public var model: String
    /// The numeric precision.
    public var precision: Precision
    /// The number of threads.
    public var threads: Int
    /// The instruction set of the kernels.
    public var instructionSet: String
    /// The number of measured runs.
    public var runs: Int
    /// The number of tokens timed per run.
    public var tokens: Int
    /// The name of the audio file, if one was transcribed.
    public var audioName: String?
    /// The duration of the audio in seconds.
    public var audioSeconds: Double?
    /// The measurements.
    public private(set) var figures: [SpeedFigure: Measurements] = [:]

    init(model: String, precision: Precision, threads: Int, instructionSet: String, runs: Int, tokens: Int) {
        self.model = model
        self.precision = precision
        self.threads = threads
        self.instructionSet = instructionSet
        self.runs = runs
        self.tokens = tokens
    }

    init(model name: String, _ model: SpeechModelInformation, runs: Int, tokens: Int) {
        self.init(
            model: name, precision: model.precision, threads: model.threads,
            instructionSet: Processor.instructionSet, runs: runs, tokens: tokens)
    }

    mutating func add(_ measurements: [SpeedFigure: Double]) {
        for (figure, value) in measurements { figures[figure, default: Measurements()].append(value) }
    }

    /// Seconds of processing per second of audio.
    public var realTimeFactor: Double? {
        guard let seconds = audioSeconds, seconds > 0, let audio = figures[.audio] else { return nil }
        return audio.median / 1000 / seconds
    }

    /// One JSON object with flat keys: each figure's median, and its range under `_min` and `_max`.
    public var json: String {
        let known: [(String, String)] = [
            ("model", JSONText.string(model)), ("precision", JSONText.string(precision.rawValue)),
            ("threads", "\(threads)"), ("isa", JSONText.string(instructionSet)), ("runs", "\(runs)"),
            ("tokens", "\(tokens)"),
        ]
        let measured = SpeedFigure.allCases.flatMap { figure -> [(String, String)] in
            guard let measurements = figures[figure] else { return [] }
            return [("", measurements.median), ("_min", measurements.least), ("_max", measurements.most)].map {
                (figure.rawValue + $0.0, Self.rounded($0.1))
            }
        }
        let audio = [("audio_seconds", audioSeconds), ("real_time_factor", realTimeFactor)].compactMap { key, value in
            value.map { (key, Self.rounded($0)) }
        }
        return JSONText.object(known + measured + audio) + "\n"
    }

    /// Rounded to three decimals (microseconds, for times); the rest is noise.
    private static func rounded(_ value: Double) -> String {
        JSONText.number((value * 1000).rounded(.toNearestOrEven) / 1000)
    }
}

extension SpeedReport {
    /// A table of medians and ranges.
    public var table: String {
        let rows = SpeedFigure.allCases.compactMap(row)
        let width = rows.reduce(0) { max($0, TextWidth.of($1.label)) }
        return "\(heading)\n\n" + rows.map { "\(TextWidth.pad($0.label, to: width))  \($0.figures)\n" }.joined()
    }

    private var heading: String {
        let threads = threads == 1 ? "1 thread" : "\(threads) threads"
        let runs = runs == 1 ? "one run" : "medians of \(runs) runs"
        return "\(model), \(precision.rawValue), \(threads), \(instructionSet); \(runs)"
    }

    private func row(_ figure: SpeedFigure) -> (label: String, figures: String)? {
        guard let measurements = figures[figure] else { return nil }
        let median = TextWidth.padLeft(Self.text(measurements.median), to: 8)
        let spread = runs > 1 ? "  (\(Self.text(measurements.least))–\(Self.text(measurements.most)))" : ""
        return (label(figure), "\(median) \(figure.unit)\(spread)\(note(figure))")
    }

    private func label(_ figure: SpeedFigure) -> String {
        guard figure == .audio, let audioName, let audioSeconds else { return figure.label }
        return String(format: "%@, %.1f s", audioName, audioSeconds)
    }

    private func note(_ figure: SpeedFigure) -> String {
        guard figure == .audio, let realTimeFactor else { return "" }
        return String(format: "  %.1f times as fast as speech", 1 / realTimeFactor)
    }

    /// Three significant digits.
    private static func text(_ value: Double) -> String {
        String(format: value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value)
    }
}

/// A measured figure; the raw value is its JSON key.
@_spi(Benchmarks) public enum SpeedFigure: String, Sendable, CaseIterable {
    /// Log-mel of 30 s of audio.
    case logMel = "log_mel_ms"
    /// The encoder over 30 s.
    case encode = "encode_ms"
    /// The cross-attention KV cache of a window.
    case crossAttentionCache = "cross_ms"
    /// The prefill of the prompt, and the first token.
    case prompt = "prefill_ms"
    /// One token of greedy search, sampling included.
    case greedyToken = "greedy_token_ms"
    /// One beam-5 step: five rows, one token each, selection included.
    case beamStep = "beam5_step_ms"
    /// The transcription of an audio file, from opening it to the text.
    case audio = "audio_ms"
    /// From the start of a process to the loaded model.
    case load = "load_ms"
    /// From the start of a process to the first token.
    case coldStart = "cold_start_ms"
    /// The peak memory of a process that loads the model and decodes one window.
    case peakMemory = "peak_rss_mb"

    var unit: String { self == .peakMemory ? "MB" : "ms" }

    var label: String {
        switch self {
        case .logMel: "log-mel of 30 s"
        case .encode: "encoder, 30 s"
        case .crossAttentionCache: "cross-attention KV cache"
        case .prompt: "prefill and first token"
        case .greedyToken: "greedy, per token"
        case .beamStep: "beam 5, per step"
        case .audio: "audio file"
        case .load: "new process to loaded model"
        case .coldStart: "new process to first token"
        case .peakMemory: "peak memory, one window"
        }
    }
}

/// Repeated measurements of one figure.
@_spi(Benchmarks) public struct Measurements: Sendable, Hashable {
    /// The values, in the order of measurement.
    public private(set) var values: [Double]

    /// Creates measurements.
    public init(_ values: [Double] = []) { self.values = values }

    /// Adds a measurement.
    public mutating func append(_ value: Double) { values.append(value) }

    /// The median, which is robust against slow moments of the machine; NaN without values.
    public var median: Double {
        let sorted = values.sorted()
        guard let last = sorted.indices.last else { return .nan }
        return (sorted[last / 2] + sorted[(last + 1) / 2]) / 2
    }

    /// The smallest value; NaN without values.
    public var least: Double { values.min() ?? .nan }

    /// The largest value; NaN without values.
    public var most: Double { values.max() ?? .nan }
}
