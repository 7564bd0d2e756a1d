import Steno
@_spi(Benchmarks) public import StenoCore
import StenoWhisper

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

    init(model name: String, _ model: WhisperModel, runs: Int, tokens: Int) {
        self.init(
            model: name, precision: model.precision, threads: model.threads,
            instructionSet: Processor.instructionSet, runs: runs, tokens: tokens)
    }

    /// Adds one measurement of some figures.
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

    /// Rounded to a microsecond: the rest is noise.
    private static func rounded(_ value: Double) -> String {
        JSONText.number((value * 1000).rounded(.toNearestOrEven) / 1000)
    }
}
