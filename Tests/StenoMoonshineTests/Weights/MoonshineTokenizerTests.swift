import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoMoonshine

struct MoonshineTokenizerTests {
    private static let pieces = [
        "<unk>", "<s>", "</s>", "<0xF0>", "<0x9F>", "<0x98>", "<0x80>", "▁the", "▁", "cat", "▁▁", ",", "▁ça", "<0x20>",
        "猫", "犬", "<0xE7>", "<0x8C>",
    ]

    private func tokenizer(_ pieces: [String] = pieces) throws -> MoonshineTokenizer {
        let vocabulary = Dictionary(uniqueKeysWithValues: zip(pieces, 0..<pieces.count))
        let added: [[String: Any]] = [
            ["id": 0, "content": "<unk>", "special": true], ["id": 1, "content": "<s>", "special": true],
            ["id": 2, "content": "</s>", "special": true],
            ["id": pieces.count, "content": "<<ST_0>>", "special": true],
            ["id": pieces.count + 1, "content": " plain▁", "special": false],
        ]
        let content: [String: Any] = [
            "version": "1.0", "model": ["type": "BPE", "vocab": vocabulary, "merges": [["a", "b"]]],
            "added_tokens": added,
        ]
        return MoonshineTokenizer(
            try TokenizerFile([UInt8](JSONSerialization.data(withJSONObject: content, options: .sortedKeys))))
    }

    @Test func decoding() throws {
        let tokenizer = try tokenizer()
        #expect(tokenizer.decode([1, 7, 8, 9, 11, 12, 2]) == "the cat, ça")
        // Only the first space is dropped.
        #expect(tokenizer.decode([10, 9]) == " cat")
        #expect(tokenizer.decode([9, 7]) == "cat the")
        #expect(tokenizer.decode([13, 3, 4, 5, 6, 9]) == "😀cat")
        #expect(tokenizer.decode([7, 3, 4, 7]) == "the\u{FFFD} the")
        #expect(tokenizer.decode([18, 19]) == "plain▁")
        #expect(tokenizer.decode([1000, -1]).isEmpty)
        #expect([1, 2, 7, 18, 19].map(tokenizer.isSpecial) == [true, true, false, true, false])
    }

    @Test func words() throws {
        let tokenizer = try tokenizer()
        let words = tokenizer.words([1, 7, 8, 9, 11, 18, 12, 2])
        #expect(words.map(\.text) == [" the", " cat,", " ça"])
        #expect(words.map(\.tokens) == [0..<2, 2..<6, 6..<8])
        #expect(tokenizer.words([9, 9, 7]).map(\.text) == ["catcat", " the"])
        #expect(tokenizer.words([1, 2]).isEmpty && tokenizer.words([]).isEmpty)
    }

    /// Where words are not separated by spaces, every character is one; a character may have several tokens.
    @Test func characters() throws {
        let tokenizer = try tokenizer()
        let words = tokenizer.words([14, 16, 17, 15, 14], isSpaced: false)
        #expect(words.map(\.tokens) == [0..<1, 1..<4, 4..<5])
        #expect(tokenizer.words([14, 15, 7, 14]).map(\.text) == ["猫犬", " the猫"])
    }

    @Test func damagedFiles() {
        for text in [
            "", "[]", "{", #"{"model": {"vocab": {"a": 1}}}"#, #"{"model": {"vocab": {"a": -1}}}"#, #"{"model": {}}"#,
            #"{"model": {"vocab": {"a": 0}}, "added_tokens": [{"content": "b"}]}"#,
            #"{"model": {"vocab": {"a": 0}}, "added_tokens": [{"id": 99999999, "content": "b"}]}"#,
        ] {
            #expect(throws: (any Error).self, "\(text)") { _ = try TokenizerFile([UInt8](text.utf8)) }
        }
    }
}
