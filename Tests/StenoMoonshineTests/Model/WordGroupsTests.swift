import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoMoonshine

struct WordGroupsTests {
    private static let pieces = [
        "<unk>", "<s>", "</s>", "▁the", "▁cat", "s", ",", "▁", "猫", "が", "いる", "。", "<0xE7>", "<0x8C>", "<0xAB>",
    ]

    private func words(_ tokens: Int...) throws -> [TokenWord] {
        let content: [String: Any] = [
            "model": ["type": "BPE", "vocab": Dictionary(uniqueKeysWithValues: zip(Self.pieces, 0...))],
            "added_tokens": (0...2).map { ["id": $0, "content": Self.pieces[$0], "special": true] as [String: Any] },
        ]
        let file = try TokenizerFile([UInt8](JSONSerialization.data(withJSONObject: content, options: .sortedKeys)))
        return WordGroups.split(tokens, MoonshineTokenizer(file))
    }

    @Test func wordsBeginWithSpaces() throws {
        let words = try words(3, 4, 5, 6, 3)
        #expect(words.map(\.text) == [" the", " cats,", " the"])
        #expect(words.map(\.tokens) == [0..<1, 1..<4, 4..<5])
    }

    /// In a text of several scripts, only those without spaces are split into characters.
    @Test func charactersAreWordsWithTheirPunctuation() throws {
        let words = try words(7, 8, 9, 10, 11, 12, 13, 14, 3, 4)
        #expect(words.map(\.text) == [" ", "猫", "が", "いる。", "猫", " the", " cat"])
        #expect(words.map(\.tokens) == [0..<1, 1..<2, 2..<3, 3..<5, 5..<8, 8..<9, 9..<10])
        #expect(try self.words().isEmpty)
    }
}

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
        // No positions.
        #expect(PositionLevels([], positions: 0, length: 384).trimmed(0..<5).isEmpty)
        #expect(levels(sound(3)).trimmed(1..<9) == 1..<3)
    }
}
