import StenoTestSupport
import Testing

@testable import StenoSpeakers

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
        for seed in 1...(isLong ? 5 : 2) as ClosedRange<UInt64> {
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

    @Test func aGivenNumberOrRangeIsKept() {
        let windows = windows([30, 30, 30], seed: 4)
        let clustering = SpeakerClustering(windows, secondsPerWindow: 0.8)
        for count in 1...3 { #expect(clustering.voices(count: count).count == count) }
        #expect(SpeakerClustering(Array(windows.prefix(30)), secondsPerWindow: 0.8).voices(count: 2).count == 2)
        #expect(clustering.voices(counts: 2...5).count == 3)
        #expect(clustering.voices(counts: 1...2).count == 2)
        #expect(clustering.voices(counts: 4...6).count == 4)
    }

    @Test func littleSpeechIsOneVoice() {
        #expect(SpeakerClustering([], secondsPerWindow: 0.8).voices(count: nil).isEmpty)
        let one = windows([1], seed: 1)
        #expect(SpeakerClustering(one, secondsPerWindow: 0.8).voices(count: nil) == one)
        #expect(SpeakerClustering(one + one, secondsPerWindow: 0.8).voices(count: nil).count == 1)
        let same = [SpeakerEmbedding](repeating: one[0], count: 50)
        #expect(SpeakerClustering(same, secondsPerWindow: 0.8).voices(count: nil).count == 1)
    }

    /// However short the recording is.
    @Test(arguments: [([60, 60], 9), ([7], 3)] as [([Int], UInt64)])
    func aSingleStrayWindowIsNotAVoice(counts: [Int], seed: UInt64) {
        let windows = windows(counts, seed: seed) + self.windows([1], seed: 77)
        #expect(SpeakerClustering(windows, secondsPerWindow: 0.8).voices(count: nil).count == counts.count)
    }

    @Test func similarVoicesAreTwoWhenTheyTakeTurns() throws {
        var random = SplitMix64(seed: 8)
        func direction() -> SpeakerEmbedding {
            SpeakerEmbedding((0..<128).map { _ in .random(in: -1...1, using: &random) }).normalized
        }
        let first = direction(), other = direction()
        let across = (other + first * -first.dot(other)).normalized
        let second = first * 0.89 + across * (1 - 0.89 * 0.89 as Float).squareRoot()
        func windows(_ isSecond: [Bool]) -> [SpeakerEmbedding] {
            isSecond.map { (($0 ? second : first) * 0.98 + direction() * 0.2).normalized }
        }
        let talk = (0..<100).map { $0 / 10 % 2 == 1 }
        let mean = try #require(SpeakerEmbedding.mean(windows(talk.filter { !$0 })))
        let otherMean = try #require(SpeakerEmbedding.mean(windows(talk.filter(\.self))))
        let limits = SpeakerLimits()
        let same = limits.sameVoice(seconds: 40)
        #expect(mean.dot(otherMean) > same && mean.dot(otherMean) < same + limits.allowanceForTurns, "nearly one voice")
        func count(_ isSecond: [Bool]) -> Int {
            SpeakerClustering(windows(isSecond), secondsPerWindow: 0.8).voices(count: nil).count
        }
        #expect(count(talk) == 2)
        #expect(count(talk.indices.map { $0 % 2 == 1 }.shuffled(using: &random)) == 1, "one voice's vowels")
        #expect(count(talk.indices.map { $0 >= 50 }) == 1, "a voice that drifts")
    }

    @Test func twoWindowsMustDifferMoreWhileAudioArrives() {
        let one = SpeakerEmbedding([1, 0]), other = SpeakerEmbedding([0.77, 0.638])
        let windows = [one, one, one, one, other, other]
        func count(_ limits: SpeakerLimits) -> Int {
            SpeakerClustering(windows, secondsPerWindow: 0.8, limits: limits).voices(count: nil).count
        }
        #expect(count(SpeakerLimits()) == 2)
        #expect(count(.live) == 1)
    }

    @Test func longRecordingsAreSampled() {
        // Of more than a thousand windows, every second.
        let windows = windows([560, 460], seed: 2)
        #expect(SpeakerClustering(windows, secondsPerWindow: 0.8).voices(count: nil).count == 2)
    }
}

/// The numbers of voices that are found again and again.
struct VoiceNumbersTests {
    @Test func aVoiceKeepsTheNumberThatMostOfItsMembersHad() {
        var numbering = VoiceNumbers()
        let first = numbering.numbers(of: [0, 0, 1], had: [0, 0, 0], count: 2)
        #expect(first == [0, 1], "of two that had one number, the larger keeps it")
        let swapped = numbering.numbers(of: [1, 1, 0], had: [0, 0, 1], count: 2)
        #expect(swapped == [1, 0])
        let three = numbering.numbers(of: [0, 2, 2, 1], had: [1, 0, 0, 0], count: 3)
        #expect(three == [1, 2, 0])
        let more = numbering.numbers(of: [0, 1], had: [0, 0], count: 3)
        #expect(more == [0, 3, 4], "a number is never given again, and a voice without members has one")
    }

    @Test func ofTheOlderMembersThoseWorthItStay() {
        // Voice 1 has 16 old members, of which every fourth is worth keeping; 40 of voice 0 follow.
        let numbers = [Int](repeating: 1, count: 16) + [Int](repeating: 0, count: 40)
        let kept = VoiceNumbers.kept(numbers, limit: (all: 50, latest: 20), least: 6) { $0 >= 16 || $0 % 4 == 1 }
        #expect(kept.filter { numbers[$0] == 1 } == [1, 5, 9, 13], "four are few, so all of them stay")
        let older = kept.filter { numbers[$0] == 0 && $0 < 36 }
        #expect(older == Array(stride(from: 16, to: 36, by: 2)), "of many, every second")
        #expect(kept.suffix(20).elementsEqual(36..<56), "and the latest")
    }
}
