import Foundation

/// Triangular filters, evenly spaced on Slaney's mel scale, that map the bins of a spectrum to mel bands.
///
/// Whisper was trained with librosa's filters; these equal them, but are computed. The scale is linear below 1000 Hz
/// and logarithmic above (M. Slaney, Auditory Toolbox, Interval Research TR 1998-010), and all triangles have the same
/// area, so that white noise has equal energy in every band. Only nonzero weights are stored.
package struct MelFilterbank: Sendable {
    /// The number of mel bands: in Whisper 80, or 128 for large-v3 and turbo.
    package let count: Int
    /// The number of bins in a spectrum: 201 in Whisper.
    package let binCount: Int
    /// Each band's first bin with a weight.
    package let firstBins: [Int32]
    /// The start of each band's weights in ``weights``; one more entry than bands, the last being the number of
    /// weights.
    package let weightStarts: [Int32]
    package let weights: [Float]

    /// Computes the filters from 0 Hz to half the sample rate; `count` is at least 1.
    package init(count: Int, sampleRate: Int = LogMel.sampleRate, transformLength: Int = LogMel.frameLength) {
        precondition(count > 0, "a filterbank has at least one band")
        let top = Self.mels(fromHertz: Double(sampleRate) / 2)
        let edges = (0..<(count + 2)).map { Self.hertz(fromMels: top * Double($0) / Double(count + 1)) }
        self.init(
            bins: Self.frequencies(sampleRate: sampleRate, transformLength: transformLength), edges: edges,
            haveEqualAreas: true)
    }

    /// Creates the triangles over neighbouring threes of `edges`, which are on the same scale as the bins.
    ///
    /// - Parameter haveEqualAreas: Whether the triangles' areas are 1, rather than their heights.
    init(bins: [Double], edges: [Double], haveEqualAreas: Bool) {
        precondition(edges.count > 2, "a filterbank has at least one band")
        var firstBins: [Int32] = []
        var weightStarts: [Int32] = [0]
        var weights: [Float] = []
        for (low, (peak, high)) in zip(edges, zip(edges.dropFirst(), edges.dropFirst(2))) {
            let (first, run) = Self.triangle(
                bins, from: low, over: peak, to: high, base: haveEqualAreas ? high - low : 2)
            firstBins.append(Int32(first))
            weights += run
            weightStarts.append(Int32(weights.count))
        }
        count = edges.count - 2
        binCount = bins.count
        (self.firstBins, self.weightStarts, self.weights) = (firstBins, weightStarts, weights)
    }

    /// The frequencies of a spectrum's bins.
    static func frequencies(sampleRate: Int, transformLength: Int) -> [Double] {
        (0...transformLength / 2).map { Double($0) * Double(sampleRate) / Double(transformLength) }
    }

    /// The weights of a triangle and its first bin; a narrow triangle may fall between bins.
    ///
    /// - Parameters:
    ///   - bins: The bins' places on the scale of the edges.
    ///   - base: The length of the base with which its area is 1.
    private static func triangle(
        _ bins: [Double], from low: Double, over peak: Double, to high: Double, base: Double
    ) -> (first: Int, run: [Float]) {
        let weights = bins.map { bin in
            let rising = (bin - low) / (peak - low)
            let falling = (high - bin) / (high - peak)
            return Float(max(0, min(rising, falling)) * 2 / base)
        }
        guard let first = weights.firstIndex(where: { $0 > 0 }), let last = weights.lastIndex(where: { $0 > 0 }) else {
            return (0, [])
        }
        return (first, Array(weights[first...last]))
    }

    // 15 mels are 1000 Hz; a mel is 66⅔ Hz below that, and above it 27 mels are a factor of 6.4.
    private static let hertzPerMel = 200.0 / 3
    private static let logStep = log(6.4) / 27

    private static func mels(fromHertz hertz: Double) -> Double {
        hertz < 1000 ? hertz / hertzPerMel : 15 + log(hertz / 1000) / logStep
    }

    private static func hertz(fromMels mels: Double) -> Double {
        mels < 15 ? mels * hertzPerMel : 1000 * exp((mels - 15) * logStep)
    }
}

extension MelFilterbank {
    /// Kaldi's lowest frequency.
    private static let lowest = 20.0

    /// Computes Kaldi's filters from 20 Hz to half the sample rate: triangles of height 1, evenly spaced and with
    /// straight sides on O'Shaughnessy's mel scale, 1127 ln(1 + f / 700); `count` is at least 1.
    package init(kaldi count: Int, sampleRate: Int, transformLength: Int) {
        precondition(Double(sampleRate) / 2 > Self.lowest, "there is a band above the lowest frequency")
        let low = Self.kaldiMels(Self.lowest), high = Self.kaldiMels(Double(sampleRate) / 2)
        self.init(
            bins: Self.frequencies(sampleRate: sampleRate, transformLength: transformLength).map(Self.kaldiMels),
            edges: (0..<(count + 2)).map { low + (high - low) / Double(count + 1) * Double($0) }, haveEqualAreas: false)
    }

    private static func kaldiMels(_ hertz: Double) -> Double { 1127 * log(1 + hertz / 700) }
}
