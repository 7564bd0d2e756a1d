import Foundation

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

    private static func sinc(_ x: Double) -> Double {
        x == 0 ? 1 : sin(.pi * x) / (.pi * x)
    }

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
