import Foundation

extension MelFilterbank {
    /// Kaldi's lowest frequency.
    private static let lowest = 20.0

    /// Computes Kaldi's filters from 20 Hz to half the sample rate: triangles of height 1, evenly spaced and with
    /// straight sides on O'Shaughnessy's mel scale, 1127 ln(1 + f / 700).
    ///
    /// - Parameters:
    ///   - count: The number of mel bands, at least 1.
    ///   - sampleRate: Samples per second.
    ///   - transformLength: The length of the Fourier transform in samples.
    package init(kaldi count: Int, sampleRate: Int, transformLength: Int) {
        precondition(Double(sampleRate) / 2 > Self.lowest, "there is a band above the lowest frequency")
        let low = Self.kaldiMels(Self.lowest), high = Self.kaldiMels(Double(sampleRate) / 2)
        self.init(
            bins: Self.frequencies(sampleRate: sampleRate, transformLength: transformLength).map(Self.kaldiMels),
            edges: (0..<(count + 2)).map { low + (high - low) / Double(count + 1) * Double($0) },
            haveEqualAreas: false)
    }

    private static func kaldiMels(_ hertz: Double) -> Double { 1127 * log(1 + hertz / 700) }
}
