import Foundation

/// Measures how loud a recording is, a tenth of a second at a time, for a meter people watch.
///
/// A sine that just reaches ±1 has an `rms` of −3.01 and a `peak` of 0. The levels do not depend on how the audio was
/// cut into chunks.
public struct LevelMeter: Sendable {
    /// How many samples one level speaks of.
    public let length: Int
    /// The first sample of the next level; that of the level before is `length` less.
    public private(set) var position = 0

    /// What silence is taken for: the logarithm of nothing is no number.
    private static let floor = 1e-12

    private var squares = 0.0
    private var peak = 0.0
    private var count = 0

    /// Creates a meter.
    ///
    /// - Parameter interval: The seconds one level speaks of, from a millisecond to a minute; what lies outside is
    ///   moved to the limit.
    public init(interval: Double = 0.1) {
        let seconds = interval.isNaN ? 0.1 : min(60, max(0.001, interval))
        length = Int((seconds * Double(AudioFile.sampleRate)).rounded())
    }

    /// Takes samples and returns the levels they complete; a sample that is no number counts as silence.
    public mutating func append(_ samples: [Float]) -> [AudioLevel] {
        var levels: [AudioLevel] = []
        for sample in samples {
            let value = sample.isFinite ? Double(sample) : 0
            squares += value * value
            peak = max(peak, abs(value))
            count += 1
            if count == length, let level = finish() { levels.append(level) }
        }
        return levels
    }

    /// Returns the level of the samples that make no whole one, if there are any.
    public mutating func finish() -> AudioLevel? {
        guard count > 0 else { return nil }
        defer {
            position += count
            (squares, peak, count) = (0, 0, 0)
        }
        return AudioLevel(
            rms: 10 * log10(squares / Double(count) + Self.floor), peak: 10 * log10(peak * peak + Self.floor))
    }
}
