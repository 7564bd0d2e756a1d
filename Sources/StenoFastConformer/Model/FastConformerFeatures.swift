import StenoCompute
import StenoCore

/// FastConformer's input features: log-mel rows every 10 ms.
///
/// As in NeMo (`AudioToMelSpectrogramPreprocessor`) and transformers: pre-emphasis, frames of 400 samples with a
/// symmetric Hann window, centred in Fourier transforms of 512 samples every 160 samples, with zeros before and after
/// the audio; then ln(energy + 2^−24) of Slaney's mel bands. Audio of `n` samples has `n / 160` frames.
struct FastConformerFeatures: Sendable {
    static let hop = 160
    static let frameLength = 400
    /// Frame f begins at sample `160 f − lead`.
    static let lead = 200
    /// The coefficient of the filter y[n] = x[n] − c · x[n − 1].
    static let preEmphasis: Float = 0.97

    let transform: LogMelTransform

    init(melCount: Int) throws {
        transform = try LogMelTransform(
            LogMelGeometry(
                transformLength: 512, frameLength: Self.frameLength, hopLength: Self.hop, melCount: melCount,
                window: .symmetricHann, logarithm: .natural, guardEnergy: 0x1p-24, floor: 0))
    }

    var melCount: Int { transform.geometry.melCount }

    /// Normalises each band of an utterance to mean 0 and deviation 1, as `normalize: per_feature` in NeMo.
    ///
    /// A single frame has no deviation; it becomes zeros.
    static func normalize(_ rows: inout [Float], bands: Int) {
        let count = rows.count / bands
        guard count > 0 else { return }
        var sums = [Double](repeating: 0, count: bands)
        rows.withUnsafeMutableBufferPointer { rows in
            for frame in 0..<count {
                for band in 0..<bands { sums[band] += Double(rows[frame * bands + band]) }
            }
            let means = sums.map { $0 / Double(count) }
            var squares = [Double](repeating: 0, count: bands)
            for frame in 0..<count {
                for band in 0..<bands {
                    let centred = Double(rows[frame * bands + band]) - means[band]
                    squares[band] += centred * centred
                }
            }
            let scales = squares.map { 1 / (($0 / Double(max(count - 1, 1))).squareRoot() + 1e-5) }
            for frame in 0..<count {
                for band in 0..<bands {
                    let value = Double(rows[frame * bands + band])
                    rows[frame * bands + band] = Float((value - means[band]) * scales[band])
                }
            }
        }
    }
}

/// The features of an utterance whose samples arrive in any pieces.
struct FeatureStream {
    private let features: FastConformerFeatures
    private var filter = PreEmphasis(coefficient: FastConformerFeatures.preEmphasis)
    /// Filtered samples from the start of the next frame on; before the first sample there are zeros.
    private var pending = [Float](repeating: 0, count: FastConformerFeatures.lead)
    private(set) var sampleCount = 0
    private(set) var frameCount = 0

    init(_ features: FastConformerFeatures) { self.features = features }

    /// Appends the rows that are complete with the next samples.
    ///
    /// - Parameter isLast: Whether the audio ends with these samples.
    /// - Throws: ``StenoError`` with code `audioDamaged` for a sample that is not a finite number.
    mutating func append(_ samples: UnsafeBufferPointer<Float>, isLast: Bool, to rows: inout [Float]) throws {
        try NumberConversion.check(samples: samples, first: sampleCount)
        filter.append(samples, to: &pending)
        sampleCount += samples.count
        if isLast {
            // The last frame may reach beyond the audio.
            let needed = (sampleCount / FastConformerFeatures.hop - frameCount - 1) * FastConformerFeatures.hop
            let missing = needed + FastConformerFeatures.frameLength - pending.count
            if missing > 0 { pending += [Float](repeating: 0, count: missing) }
        }
        let limit = sampleCount / FastConformerFeatures.hop - frameCount
        let frames = min(features.transform.frames(in: pending.count), limit)
        guard frames > 0 else { return }
        let start = rows.count
        rows += [Float](repeating: 0, count: frames * features.melCount)
        rows.withUnsafeMutableBufferPointer { rows in
            guard let base = rows.baseAddress else { return }
            _ = features.transform.compute(pending, frames: frames, into: base + start)
        }
        pending.removeFirst(frames * FastConformerFeatures.hop)
        frameCount += frames
    }
}
