import StenoTestSupport
import Testing

@testable import StenoVoice

/// The number of voices among embeddings that scatter as the bundled encoder's do.
struct SpeakerClusteringTests {
    /// Windows of some voices whose directions have a cosine of 0.6 or so, each window with a cosine of 0.9 to its voice.
    private func windows(_ counts: [Int], seed: UInt64) -> [SpeakerEmbedding] {
        var random = SplitMix64(seed: seed)
        func direction(_ width: Int = 64) -> SpeakerEmbedding {
            SpeakerEmbedding(
                (0..<width).map { _ in (0..<6).reduce(0) { sum, _ in sum + Float.random(in: -1...1, using: &random) } }
            )
            .normalized
        }
        let common = direction()
        return counts.flatMap { count in
            let voice = (common * 0.77 + direction() * 0.64).normalized
            return (0..<count).map { _ in (voice * 0.9 + direction() * 0.435).normalized }
        }
    }

    @Test(arguments: [[40], [30, 20], [60, 12, 25], [20, 20, 20, 20], [50, 10, 15, 30, 22]])
    func theNumberOfVoicesIsFound(counts: [Int]) {
        for seed in 1...5 as ClosedRange<UInt64> {
            let windows = windows(counts, seed: seed)
            let voices = SpeakerClustering(windows, secondsPerWindow: 0.8).voices(count: nil)
            #expect(voices.count == counts.count, "seed \(seed)")
            var start = 0
            var labels: Set<Int> = []
            for count in counts where voices.count == counts.count {
                let own = windows[start..<start + count].map { $0.mostSimilar(of: voices).index }
                #expect(Set(own).count == 1, "every window is its voice's")
                labels.formUnion(own)
                start += count
            }
            #expect(labels.count == voices.count)
        }
    }

    @Test func aNumberThatIsGivenIsKept() {
        let windows = windows([30, 30, 30], seed: 4)
        for count in 1...3 {
            #expect(SpeakerClustering(windows, secondsPerWindow: 0.8).voices(count: count).count == count)
        }
        #expect(SpeakerClustering(Array(windows.prefix(30)), secondsPerWindow: 0.8).voices(count: 2).count == 2)
    }

    @Test func littleSpeechIsOneVoice() {
        #expect(SpeakerClustering([], secondsPerWindow: 0.8).voices(count: nil).isEmpty)
        let one = windows([1], seed: 1)
        #expect(SpeakerClustering(one, secondsPerWindow: 0.8).voices(count: nil) == one)
        #expect(SpeakerClustering(one + one, secondsPerWindow: 0.8).voices(count: nil).count == 1)
        let same = [SpeakerEmbedding](repeating: one[0], count: 50)
        #expect(SpeakerClustering(same, secondsPerWindow: 0.8).voices(count: nil).count == 1)
    }

    @Test func aWindowOfAnotherKindMakesNoVoice() {
        let windows = windows([60, 60], seed: 9) + self.windows([1], seed: 77)
        #expect(SpeakerClustering(windows, secondsPerWindow: 0.8).voices(count: nil).count == 2)
    }

    @Test func longRecordingsAreSampled() {
        let windows = windows([900, 700], seed: 2)
        #expect(SpeakerClustering(windows, secondsPerWindow: 0.8).voices(count: nil).count == 2)
    }
}
