import StenoCore
import StenoVoiceActivity

/// The speech probability and the level of each window of 32 ms, from a sample on.
struct WindowMeasures {
    private static let length = VoiceActivity.windowLength
    /// A window with at least this probability counts as speech: as in the guards, so that quiet speech is kept.
    private static let speechProbability: Float = 0.3
    /// The windows on either side that are as quiet as a cut should be: a tenth of a second.
    private static let reach = 3
    /// How much audio before an utterance its guards may look at, in windows: a second.
    private static let before = 32

    /// The first sample of the first window.
    private let start: Int
    private var forgotten = 0
    private var probabilities: [Float] = []
    /// The energy of each window; the last one may be incomplete.
    private var energies: [Float] = []
    private var sampleCount = 0

    init(start: Int) { self.start = start }

    mutating func append(_ next: [Float]) { probabilities += next }

    mutating func append(levels samples: [Float]) {
        samples.withUnsafeBufferPointer { samples in
            var next = 0
            while next < samples.count {
                if sampleCount.isMultiple(of: Self.length) { energies.append(0) }
                let end = min(samples.count, next + Self.length - sampleCount % Self.length)
                var energy: Float = 0
                for index in next..<end { energy += samples[index] * samples[index] }
                energies[energies.count - 1] += energy
                sampleCount += end - next
                next = end
            }
        }
    }

    /// Forgets what lies more than a second before a sample.
    mutating func forget(before sample: Int) {
        let count = min(window(of: sample) - Self.before, probabilities.count, energies.count)
        guard count > 0 else { return }
        probabilities.removeFirst(count)
        energies.removeFirst(count)
        forgotten += count
    }

    func hasSpeech(_ range: Range<Int>) -> Bool {
        let windows = max(0, window(of: range.lowerBound))...max(0, window(of: range.upperBound))
        return probabilities.indices.clamped(to: Range(windows))
            .contains { probabilities[$0] >= Self.speechProbability }
    }

    /// The speech probabilities in a range of samples, and those known around it.
    func profile(_ range: Range<Int>) -> SpeechProfile {
        SpeechProfile(
            start: VoiceActivity.seconds(start + forgotten * Self.length), step: VoiceActivity.windowSeconds,
            probabilities: probabilities)
    }

    /// The sample in a range around which the audio is quietest, and in equal silence the latest.
    func quietest(_ range: Range<Int>) -> Int {
        let first = max(0, window(of: range.lowerBound)), last = min(window(of: range.upperBound), energies.count - 1)
        guard first <= last else { return range.upperBound }
        let best = (first...last).min { (loudness($0), -$0) < (loudness($1), -$1) } ?? last
        return min(max(start + (forgotten + best) * Self.length + Self.length / 2, range.lowerBound), range.upperBound)
    }

    /// The energy of a window and its neighbours.
    private func loudness(_ window: Int) -> Float {
        energies[max(0, window - Self.reach)...min(window + Self.reach, energies.count - 1)].reduce(0, +)
    }

    /// The index of the window with a sample; negative if it has been forgotten.
    private func window(of sample: Int) -> Int { (sample - start) / Self.length - forgotten }
}
