/// The coefficients of a filter at evenly spaced fractions of an input sample, one row per fraction.
///
/// Layout: `[rows][taps]`, taps a multiple of 16. Row r belongs to the fraction r/steps. A rate such as 44,100 Hz needs
/// few fractions (160) and has a row for each; a rate such as 44,056 Hz needs 2,000, and interpolates between fewer
/// rows, so that the table stays below 1 MB at any rate.
final class PolyphaseTable {
    /// Coefficients per output sample.
    let taps: Int
    /// Fractions per input sample.
    let steps: Int
    /// Whether coefficients are interpolated between two rows.
    let isInterpolated: Bool
    private let coefficients: UnsafeMutableBufferPointer<Float>

    private static let exactLimit = 1 << 17
    /// Linear interpolation of a band-limited curve errs by at most (π/steps)²/8: −106 dB with 512 steps.
    private static let interpolationSteps = 512

    /// Creates the table for `up` output samples per `down` input samples; the two are coprime.
    init(up: Int, down: Int) {
        let ratio = Double(up) / Double(down)
        let filter = KaiserSinc(ratio: ratio)
        let half = (Int(filter.halfWidth.rounded(.up)) + 7) / 8 * 8
        taps = 2 * half
        isInterpolated = up * taps > Self.exactLimit
        // A longer filter is proportionally smoother and needs fewer steps.
        steps = isInterpolated ? max(16, Int(Double(Self.interpolationSteps) * min(1, ratio))) : up
        let rows = isInterpolated ? steps + 1 : steps
        coefficients = .allocate(capacity: rows * taps)
        for row in 0..<rows { Self.fill(self[row], taps: taps, with: filter, at: Double(row) / Double(steps)) }
    }

    deinit { coefficients.deallocate() }

    subscript(row: Int) -> UnsafeMutablePointer<Float> {
        // The table is never empty, so it has a base address.
        coefficients.baseAddress.unsafelyUnwrapped + row * taps
    }

    /// Fills a row and normalises its sum to exactly 1, so that a constant is preserved at every fraction.
    private static func fill(
        _ row: UnsafeMutablePointer<Float>, taps: Int, with filter: KaiserSinc, at fraction: Double
    ) {
        let values = (0..<taps).map { filter(Double($0 - taps / 2 + 1) - fraction) }
        let sum = values.reduce(0, +)
        for (tap, value) in values.enumerated() { row[tap] = Float(value / sum) }
    }
}
