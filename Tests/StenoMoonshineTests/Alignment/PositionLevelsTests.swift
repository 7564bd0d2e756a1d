import StenoTestSupport
import Testing

@testable import StenoMoonshine

struct PositionLevelsTests {
    /// Positions of silence (0) or sound, on top of a little noise.
    private func levels(_ gains: [Float]) -> PositionLevels {
        var samples = TestAudio.noise(seed: 1, count: gains.count * 384, gain: 0.001)
        for (position, gain) in gains.enumerated() {
            for index in position * 384..<(position + 1) * 384 { samples[index] += gain * Float(index % 7 - 3) / 3 }
        }
        return PositionLevels(samples, positions: gains.count, length: 384)
    }

    private func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }
    private func sound(_ count: Int) -> [Float] { [Float](repeating: 0.2, count: count) }

    @Test func silenceAroundAWordIsNotPartOfIt() {
        let levels = levels(silence(20) + sound(30) + silence(25))
        let word = levels.trimmed(0..<75)
        #expect((18...20).contains(word.lowerBound) && (50...52).contains(word.upperBound))
        #expect(levels.trimmed(22..<48) == 22..<48)
    }

    /// A stop such as the one in “rapid” is silent too.
    @Test func shortSilenceIsPartOfAWord() {
        let levels = levels(sound(10) + silence(2) + sound(10) + silence(30))
        #expect(levels.trimmed(0..<22) == 0..<22)
        #expect(levels.trimmed(0..<13) == 0..<13)
    }

    @Test func aWordInSilenceKeepsSomeTime() {
        let word = levels(sound(10) + silence(40)).trimmed(20..<40)
        #expect(!word.isEmpty && (20...40).contains(word.lowerBound) && word.upperBound <= 40)
    }

    @Test func noPositions() {
        #expect(PositionLevels([], positions: 0, length: 384).trimmed(0..<5).isEmpty)
        #expect(levels(sound(3)).trimmed(1..<9) == 1..<3)
    }
}
