import StenoWhisper
public import StenoCore
import Steno

/// What a benchmark found.
@_spi(Benchmarks) public struct SpeedReport: Sendable {
    /// The model's name.
    public var model: String
    /// The numbers it computes with.
    public var precision: Precision
    /// How many threads compute.
    public var threads: Int
    /// The instruction set of the kernels.
    public var instructionSet: String
    /// How often everything was measured.
    public var runs: Int
    /// How many tokens were timed in one piece.
    public var tokens: Int
    /// The sound file's name, if one was decoded.
    public var soundName: String?
    /// The sound's length in seconds.
    public var soundSeconds: Double?
    /// What was measured.
    public private(set) var figures: [SpeedFigure: Readings] = [:]

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

    /// Takes a reading of some figures.
    mutating func add(_ readings: [SpeedFigure: Double]) {
        for (figure, value) in readings { figures[figure, default: Readings()].append(value) }
    }

    /// Seconds of work for a second of the sound file.
    public var realTimeFactor: Double? {
        guard let seconds = soundSeconds, seconds > 0, let sound = figures[.sound] else { return nil }
        return sound.median / 1000 / seconds
    }

    /// One JSON object with flat keys: each figure's median, and its least and most under `_min` and `_max`.
    public var json: String {
        let known: [(String, String)] = [
            ("model", JSONText.string(model)), ("precision", JSONText.string(precision.rawValue)),
            ("threads", "\(threads)"), ("isa", JSONText.string(instructionSet)), ("runs", "\(runs)"),
            ("tokens", "\(tokens)"),
        ]
        let measured = SpeedFigure.allCases.flatMap { figure -> [(String, String)] in
            guard let readings = figures[figure] else { return [] }
            return [("", readings.median), ("_min", readings.least), ("_max", readings.most)].map {
                (figure.rawValue + $0.0, Self.rounded($0.1))
            }
        }
        let sound = [("sound_seconds", soundSeconds), ("real_time_factor", realTimeFactor)].compactMap { key, value in
            value.map { (key, Self.rounded($0)) }
        }
        return JSONText.object(known + measured + sound) + "\n"
    }

    /// To a thousandth of a millisecond: more would be noise.
    private static func rounded(_ value: Double) -> String {
        JSONText.number((value * 1000).rounded(.toNearestOrEven) / 1000)
    }
}
