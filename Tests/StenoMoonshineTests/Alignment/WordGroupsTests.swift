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
    }

    @Test func noTokens() throws { #expect(try words().isEmpty) }
}
