import Foundation

/// Measures how loud a sound is, a tenth of a second at a time.
struct LevelMeter: Sendable {
    private static let length = AudioFile.sampleRate / 10
    /// What silence is taken for: the logarithm of nothing is no number.
    private static let floor = 1e-12

    private var squares = 0.0
    private var peak = 0.0
    private var count = 0

    /// Takes samples and returns the levels of the tenths they complete.
    mutating func append(_ samples: [Float]) -> [AudioLevel] {
        var levels: [AudioLevel] = []
        for sample in samples where sample.isFinite {
            let value = Double(sample)
            squares += value * value
            peak = max(peak, abs(value))
            count += 1
            guard count == Self.length else { continue }
            levels.append(
                AudioLevel(
                    rms: 10 * log10(squares / Double(count) + Self.floor), peak: 10 * log10(peak * peak + Self.floor)))
            self = LevelMeter()
        }
        return levels
    }
}
