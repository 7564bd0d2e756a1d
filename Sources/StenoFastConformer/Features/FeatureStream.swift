import StenoCompute
import StenoCore

/// The features of an utterance whose samples arrive in any pieces.
struct FeatureStream {
    private let features: FastConformerFeatures
    private var filter = PreEmphasis(coefficient: FastConformerFeatures.preEmphasis)
    /// Filtered samples from the start of the next frame on; before the first sample there are zeros.
    private var pending = [Float](repeating: 0, count: FastConformerFeatures.lead)
    /// The number of samples so far.
    private(set) var sampleCount = 0
    /// The number of frames so far.
    private(set) var frameCount = 0

    init(_ features: FastConformerFeatures) { self.features = features }

    /// Appends the rows that are complete with the next samples.
    ///
    /// - Parameter isLast: Whether the audio ends with these samples.
    /// - Throws: ``StenoError`` with code `audioDamaged` for a sample that is not a finite number.
    mutating func append(_ samples: UnsafeBufferPointer<Float>, isLast: Bool, to rows: inout [Float]) throws {
        try check(samples)
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

    /// A sample that is not finite would spread over the whole utterance.
    private func check(_ samples: UnsafeBufferPointer<Float>) throws {
        guard let base = samples.baseAddress, !NumberConversion.areFinite(base, count: samples.count),
            let index = samples.firstIndex(where: { !$0.isFinite })
        else { return }
        throw StenoError(
            .audioDamaged, "Sample \(sampleCount + index) is not a finite number. Samples must be from −1 to 1.")
    }
}
