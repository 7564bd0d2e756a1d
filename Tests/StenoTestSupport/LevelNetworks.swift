import StenoCore
package import StenoSpeakers
import StenoVoiceActivity

/// Networks for audio in which a voice is a level, and the level of several voices at once their sum: 1/2, 1/4, 1/8 and
/// 1/16 are four voices.
package enum LevelNetworks {
    private static let count = 4

    /// The voices in each frame of a window, a bit for each.
    private static func voices(in window: [Float]) -> [Int] {
        stride(from: 495, to: window.count - 495, by: 270).map { Int((window[$0] * 16).rounded()) }
    }

    private static func bit(_ voice: Int) -> Int { 8 >> voice }

    /// The audio of some stretches, each of the voices that speak and the number of samples.
    package static func audio(_ parts: [(voices: [Int], samples: Int)]) -> [Float] {
        parts.flatMap { part in
            [Float](repeating: part.voices.reduce(0) { $0 + Float(bit($1)) / 16 }, count: part.samples)
        }
    }

    /// Says who speaks; the local speakers are numbered in the order in which they speak in the window.
    package final class Segmentation: LocalSpeakerNetwork {
        /// The classes' sets as bits of local speakers.
        private static let sets = [0, 1, 2, 4, 3, 5, 6]
        /// The log probabilities if a class is certain.
        private static let certain = sets.indices.map { index in
            sets.indices.map { $0 == index ? Float(-0.01) : -8 }
        }

        package init() {}

        package func classes(of windows: [[Float]]) -> [Float] { windows.flatMap(classes) }

        private func classes(of window: [Float]) -> [Float] {
            var order: [Int] = []
            var classes: [Float] = []
            for voices in LevelNetworks.voices(in: window) {
                var set = 0, speaking = 0
                for voice in 0..<count where voices & bit(voice) != 0 {
                    if !order.contains(voice) { order.append(voice) }
                    // Two of three local speakers at once are the most that the classes have.
                    guard let local = order.firstIndex(of: voice), local < 3, speaking < 2 else { continue }
                    set |= 1 << local
                    speaking += 1
                }
                classes += Self.certain[Self.sets.firstIndex(of: set) ?? 0]
            }
            return classes
        }
    }

    /// A voice is an axis, with some noise.
    package final class Voices: LocalVoiceNetwork {
        private let noise: Float
        private var random = SplitMix64(seed: 3)

        package init(noise: Float = 0.2) { self.noise = noise }

        package func voices(in windows: [LocalSpeech]) -> [[SpeakerEmbedding?]] { windows.map(voices) }

        private func voices(in speech: LocalSpeech) -> [SpeakerEmbedding?] {
            let heard = LevelNetworks.voices(in: speech.samples)
            return speech.frames.map { picked in
                var counts = [Int](repeating: 0, count: 16)
                for (voices, isPicked) in zip(heard, picked) where isPicked { counts[voices] += 1 }
                let total = max(counts.reduce(0, +), 1)
                var values = (0..<16).map { _ -> Float in .random(in: -noise...noise, using: &random) }
                for voice in 0..<count {
                    let frames = counts.indices.reduce(0) { $1 & bit(voice) != 0 ? $0 + counts[$1] : $0 }
                    values[voice] += 4 * Float(frames) / Float(total)
                }
                return SpeakerEmbedding(values).normalized
            }
        }
    }
}

/// A speaker encoder of audio in which every voice is a constant: 0.5 and 0.25 are as different as can be, and mixtures
/// are between them.
package final class VoiceByLevel: SpeakerEncoder {
    package let windowLength: Int
    package let width = 4
    package let batch = 4
    package private(set) var windows = 0
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

/// Returns scripted probabilities, whatever the audio.
package final class ScriptedDetector: VoiceActivityDetector {
    private let probabilities: [Float]
    private var next = 0
    package private(set) var resets = 0

    package init(_ probabilities: [Float]) { self.probabilities = probabilities }

    package func append(probabilitiesOf windows: UnsafeBufferPointer<Float>, to found: inout [Float]) {
        for _ in 0..<windows.count / VoiceActivity.windowLength {
            found.append(next < probabilities.count ? probabilities[next] : 0)
            next += 1
        }
    }

    package func reset() {
        next = 0
        resets += 1
    }
}
