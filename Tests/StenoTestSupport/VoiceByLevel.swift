import StenoCore
import StenoSpeakers

/// A speaker encoder of audio in which every voice is a constant: 0.5 and 0.25 are as different as can be, and mixtures
/// are between them.
package final class VoiceByLevel: SpeakerEncoder {
    package let windowLength: Int
    package let width = 4
    package let batch = 4
    /// The windows so far.
    package private(set) var windows = 0
    /// How much the embeddings vary.
    private let noise: Float
    private var random = SplitMix64(seed: 3)

    package init(windowLength: Int = 25_840, noise: Float = 0.05) {
        self.windowLength = windowLength
        self.noise = noise
    }

    package func embed(_ samples: UnsafePointer<Float>, windows: Int, into embeddings: UnsafeMutablePointer<Float>) {
        for window in 0..<windows {
            var shares: [Float] = [0, 0, 0, 0]
            for index in 0..<windowLength {
                switch samples[window * windowLength + index] {
                case 0.4...: shares[0] += 1
                case 0.2..<0.4: shares[1] += 1
                case 0.1..<0.2: shares[2] += 1
                default: break
                }
            }
            let length = max(shares.reduce(0) { $0 + $1 * $1 }.squareRoot(), 1)
            for index in 0..<width {
                let jitter = (Float(random.next() >> 40) / 16_777_216 - 0.5) * noise
                embeddings[window * width + index] = shares[index] / length + jitter
            }
            let embedding = UnsafeMutableBufferPointer(start: embeddings + window * width, count: width)
            let norm = embedding.reduce(0) { $0 + $1 * $1 }.squareRoot()
            for index in 0..<width { embedding[index] /= max(norm, 1e-6) }
        }
        self.windows += windows
    }
}
