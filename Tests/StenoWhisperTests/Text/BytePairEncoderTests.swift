import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

struct BytePairEncoderTests {
    private func encode(_ text: String, merges: [String]) -> [String] {
        let vocabulary = Vocabulary(tokens: (0...255).map { [UInt8($0)] } + merges.map { Array($0.utf8) })
        return BytePairEncoder(vocabulary, textTokenCount: vocabulary.count).encode(text)
            .map { String(decoding: vocabulary.bytes(of: $0), as: UTF8.self) }
    }

    @Test func mergesTheLowestIdFirst() {
        #expect(encode("abc", merges: ["bc", "ab"]) == ["a", "bc"])
        #expect(encode("abcd", merges: ["ab", "cd", "abcd"]) == ["abcd"])
        #expect(encode("xabcd", merges: ["bc", "ab", "cd", "abcd"]) == ["x", "a", "bc", "d"])
    }

    @Test func mergesTheLeftmostOfEquals() {
        #expect(encode("aaa", merges: ["aa"]) == ["aa", "a"])
        #expect(encode("aaaaa", merges: ["aa", "aaaa"]) == ["aaaa", "a"])
    }

    /// tiktoken looks up a whole word first, so a token that no merge produces is still found.
    @Test func wholeWordsAreLookedUpFirst() {
        #expect(encode("abc abcd", merges: ["abc"]) == ["abc", " ", "a", "b", "c", "d"])
    }

    @Test func tokensBeyondTheTextAreNotFound() {
        let vocabulary = Vocabulary(tokens: (0...255).map { [UInt8($0)] } + [[0x61, 0x61]])
        #expect(BytePairEncoder(vocabulary, textTokenCount: 256).encode("aa") == [0x61, 0x61])
    }
}
