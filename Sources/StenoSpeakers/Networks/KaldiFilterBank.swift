import StenoCompute
import StenoCore

/// The filter bank of Kaldi, with which voice encoders are trained: 80 log mel energies every 10 ms.
///
/// From each frame of 25 ms, its mean is subtracted; y[n] = x[n] − 0.97 x[n − 1] emphasises high frequencies, with
/// x[−1] = x[0]; then come the Povey window, the power spectrum of 512 samples and the logarithm of the energies. The
/// samples are from −1 to 1 and there is no dithering.
package final class KaldiFilterBank: Sendable {
    package static let bands = 80
    package static let frameLength = 400
    /// Row i is centred on sample 200 + 160 i.
    package static let hopLength = 160
    private static let emphasis: Float = 0.97
    /// Frames that are prepared and transformed together.
    private static let batch = 64

    // The frames are prepared one after the other, so a frame's length is also the distance to the next.
    private let transform: LogMelTransform

    package init() throws {
        transform = try LogMelTransform(
            LogMelGeometry(
                transformLength: 512, frameLength: Self.frameLength, hopLength: Self.frameLength,
                melCount: Self.bands, window: .povey, filters: .kaldi, logarithm: .natural, floor: .ulpOfOne))
    }

    /// The number of whole frames in `samples` samples.
    package static func frames(in samples: Int) -> Int {
        samples < frameLength ? 0 : (samples - frameLength) / hopLength + 1
    }

    /// The rows of all whole frames, [frames, 80]; not yet normalised.
    package func features(_ samples: [Float]) -> [Float] { samples.withUnsafeBufferPointer(features) }

    /// The rows of all whole frames, [frames, 80]; not yet normalised.
    package func features(_ samples: UnsafeBufferPointer<Float>) -> [Float] {
        let frames = Self.frames(in: samples.count)
        guard let from = samples.baseAddress, frames > 0 else { return [] }
        return [Float](unsafeUninitializedCapacity: frames * Self.bands) { rows, count in
            if let to = rows.baseAddress { compute(from, frames: frames, into: to) }
            count = frames * Self.bands
        }
    }

    private func compute(_ samples: UnsafePointer<Float>, frames: Int, into rows: UnsafeMutablePointer<Float>) {
        var prepared = [Float](repeating: 0, count: min(frames, Self.batch) * Self.frameLength)
        prepared.withUnsafeMutableBufferPointer { prepared in
            guard let base = prepared.baseAddress else { return }
            for start in stride(from: 0, to: frames, by: Self.batch) {
                let count = min(Self.batch, frames - start)
                for frame in 0..<count {
                    Self.prepare(samples + (start + frame) * Self.hopLength, into: base + frame * Self.frameLength)
                }
                _ = transform.compute(base, frames: count, into: rows + start * Self.bands)
            }
        }
    }

    /// Subtracts the mean and emphasises high frequencies.
    private static func prepare(_ samples: UnsafePointer<Float>, into frame: UnsafeMutablePointer<Float>) {
        var sum: Float = 0
        for index in 0..<frameLength {
            // A sample that is not finite must not make the embedding unusable.
            let sample = samples[index].isFinite ? samples[index] : 0
            frame[index] = sample
            sum += sample
        }
        let mean = sum / Float(frameLength)
        var previous = frame[0] - mean
        for index in 0..<frameLength {
            let sample = frame[index] - mean
            frame[index] = sample - emphasis * previous
            previous = sample
        }
    }
}
