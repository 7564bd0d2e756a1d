import Foundation

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

/// A low-pass filter: a sinc truncated by a Kaiser window.
///
/// The pass band reaches 0.9 of the lower of the two Nyquist frequencies and the stop band begins at 1.0 of it, so
/// nothing aliases. Source: J. F. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function",
/// ISCAS 1974; the formulas for length and shape are in Oppenheim/Schafer, "Discrete-Time Signal Processing", 7.6.
struct KaiserSinc {
    /// Half the length of the filter, in input samples.
    let halfWidth: Double
    /// The middle of the transition band, in cycles per input sample.
    private let cutoff: Double

    /// In decibels; 10 more than required, since the coefficients are rounded to 32 bits.
    private static let attenuation = 90.0
    private static let passEdge = 0.9
    /// Kaiser's formula for an attenuation above 50 dB.
    private static let shape = 0.1102 * (attenuation - 8.7)
    private static let peak = bessel(shape)

    /// Creates a filter for a change of rate by the factor `ratio` (output rate over input rate).
    init(ratio: Double) {
        let nyquist = 0.5 * min(1, ratio)
        cutoff = nyquist * (1 + Self.passEdge) / 2
        halfWidth = (Self.attenuation - 7.95) / (14.36 * nyquist * (1 - Self.passEdge)) / 2
    }

    /// The impulse response at a distance from its middle, in input samples.
    func callAsFunction(_ distance: Double) -> Double {
        let place = distance / halfWidth
        guard abs(place) <= 1 else { return 0 }
        let window = Self.bessel(Self.shape * (1 - place * place).squareRoot()) / Self.peak
        return 2 * cutoff * Self.sinc(2 * cutoff * distance) * window
    }

    private static func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }

    /// The modified Bessel function of the first kind and order 0, by its power series.
    private static func bessel(_ x: Double) -> Double {
        let quarter = x * x / 4
        var (sum, term, index) = (1.0, 1.0, 1.0)
        while term > sum * 1e-17 {
            term *= quarter / (index * index)
            sum += term
            index += 1
        }
        return sum
    }
}
