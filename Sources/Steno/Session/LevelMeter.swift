import Foundation

/// Measures the level of audio in intervals of a tenth of a second, for a level meter.
///
/// A sine that just reaches ±1 has an `rms` of −3.01 and a `peak` of 0. The levels do not depend on the size of
/// the chunks.
package struct LevelMeter: Sendable {
    /// The number of samples per level.
    package let length: Int
    /// The first sample of the next level; the previous level begins `length` earlier.
    package private(set) var position = 0

    /// The level of digital silence, whose logarithm would be infinite.
    private static let floor = 1e-12

    private var squares = 0.0
    private var peak = 0.0
    private var count = 0

    /// - Parameter interval: In seconds, from a millisecond to a minute; other values are clamped.
    package init(interval: Double = 0.1) {
        let seconds = interval.isNaN ? 0.1 : min(60, max(0.001, interval))
        length = Int((seconds * Double(AudioFile.sampleRate)).rounded())
    }

    /// Takes samples and returns the levels they complete; a NaN counts as silence.
    package mutating func append(_ samples: [Float]) -> [AudioLevel] {
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

    package mutating func finish() -> AudioLevel? {
        guard count > 0 else { return nil }
        defer {
            position += count
            (squares, peak, count) = (0, 0, 0)
        }
        return AudioLevel(
            rms: 10 * log10(squares / Double(count) + Self.floor), peak: 10 * log10(peak * peak + Self.floor))
    }
}
