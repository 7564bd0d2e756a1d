import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

struct TokenizerTests {
    @Test(arguments: [true, false]) func encodesLikeTiktoken(isMultilingual: Bool) throws {
        let tokenizer = try isMultilingual ? TokenizerGoldens.multilingual() : TokenizerGoldens.englishOnly()
        let goldens = try TokenizerGoldens.encodings()
        let different = goldens.filter {
            tokenizer.encode($0.text) != (isMultilingual ? $0.multilingual : $0.englishOnly)
        }
        #expect(goldens.count > 2600)
        #expect(different.map(\.text) == [], "\(different.count) of \(goldens.count)")
    }

    @Test func decodesWhatItEncoded() throws {
        let (multilingual, english) = (try TokenizerGoldens.multilingual(), try TokenizerGoldens.englishOnly())
        for golden in try TokenizerGoldens.encodings() {
            #expect(multilingual.decode(golden.multilingual).scalars == golden.text.scalars)
            #expect(english.decode(golden.englishOnly).scalars == golden.text.scalars)
        }
    }

    @Test func decodesLikePythonAndFasterWhisper() throws {
        let tokenizer = try TokenizerGoldens.multilingual()
        let goldens = try TokenizerGoldens.decodings()
        let different = goldens.filter { tokenizer.decode($0.tokens).scalars != $0.text.scalars }
        #expect(goldens.count > 1200)
        #expect(different.map(\.tokens) == [], "\(different.count) of \(goldens.count)")
        for golden in goldens {
            #expect(
                tokenizer.decodeWithTimestamps(golden.tokens).scalars == golden.textWithTimestamps.scalars,
                "\(golden.tokens)")
        }
    }

    @Test func splitsWordsLikeFasterWhisper() throws {
        let tokenizer = try TokenizerGoldens.multilingual()
        let goldens = try TokenizerGoldens.splittings()
        #expect(goldens.count > 250)
        for golden in goldens {
            let words = tokenizer.splitToWordTokens(golden.tokens, language: golden.language)
            #expect(words.map(\.text.scalars) == golden.words.map(\.scalars), "\(golden.language) \(golden.words)")
            #expect(words.map(\.tokens.count) == golden.counts, "\(golden.language) \(golden.words)")
            #expect(words.flatMap(\.tokens) == golden.tokens.prefix(golden.counts.reduce(0, +)).map { $0 })
        }
        #expect(tokenizer.splitToWordTokens([], language: "en") == [])
    }

    /// The list of openai-whisper 20250625; `WhisperConversionTests` has that of the multilingual vocabulary.
    @Test func nonSpeechTokensEqualOpenAIs() throws {
        let englishOnly = [
            1, 2, 7, 8, 9, 10, 14, 25, 26, 27, 28, 29, 31, 58, 59, 60, 61, 62, 63, 90, 91, 92, 93, 357, 366, 438, 532,
            685, 705, 796, 930, 1058, 1220, 1267, 1279, 1303, 1343, 1377, 1391, 1635, 1782, 1875, 2162, 2361, 2488,
            3467, 4008, 4211, 4600, 4808, 5299, 5855, 6329, 7203, 9609, 9959, 10563, 10786, 11420, 11709, 11907, 13163,
            13697, 13700, 14808, 15306, 16410, 16791, 17992, 19203, 19510, 20724, 22305, 22935, 27007, 30109, 30420,
            33409, 34949, 40283, 40493, 40549, 47282, 49146,
        ]
        #expect(try TokenizerGoldens.englishOnly().nonSpeechTokens == englishOnly)
        // Ignores ids outside the vocabulary.
        let tokenizer = try TokenizerGoldens.multilingual()
        #expect(tokenizer.decode([-1, 51865, 1 << 40]) == "")
        #expect(tokenizer.bytes(of: -1).isEmpty && tokenizer.bytes(of: 51865).isEmpty)
        #expect(Array(tokenizer.bytes(of: 50258)) == Array("<|startoftranscript|>".utf8))
    }

    /// An algorithm that scans the whole word for every merge would take minutes.
    @Test func encodesAVeryLongWord() throws {
        let tokenizer = try TokenizerGoldens.multilingual()
        let text = String(repeating: "ดอกไม้ริมแม่น้ำ", count: 1500)
        #expect(tokenizer.decode(tokenizer.encode(text)).scalars == text.scalars)
    }

    @Test func encodesTheSameOnManyTasks() async throws {
        let vocabulary = try TokenizerGoldens.multilingual().vocabulary
        let tokenizer = try Tokenizer(vocabulary: vocabulary)
        let expected = try Tokenizer(vocabulary: vocabulary).encode("The first one makes the table.")
        await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 { group.addTask { tokenizer.encode("The first one makes the table.") } }
            for await tokens in group { #expect(tokens == expected) }
        }
    }

    @Test func refusesAVocabularyWithoutAllBytes() throws {
        let specialTokens = try SpecialTokens(vocabularySize: 51865)
        let vocabulary = Vocabulary(tokens: (0..<255).map { [UInt8($0)] })
        expectError(.modelUnsupported) { try Tokenizer(vocabulary: vocabulary, specialTokens: specialTokens) }
    }
}

struct PreTokenizerTests {
    @Test(arguments: [
        ("it's we'll 'S", ["it", "'s", " we", "'ll", " '", "S"]),
        ("''s", ["''", "s"]),
        (" 's", [" '", "s"]),
        ("'", ["'"]),
        ("'l", ["'", "l"]),
        ("a  b", ["a", " ", " b"]),
        ("a \n b", ["a", " \n", " b"]),
        ("a\tb", ["a", "\t", "b"]),
        ("a\u{A0}\u{A0}b", ["a", "\u{A0}", "\u{A0}", "b"]),
        ("a  ", ["a", "  "]),
        (" ", [" "]),
        ("x1y22", ["x", "1", "y", "22"]),
        ("x² Ⅻ!?", ["x", "²", " Ⅻ", "!?"]),
        ("e\u{301}a", ["e", "\u{301}", "a"]),
        ("", []),
    ])
    func splitsLikeGPT2(text: String, expected: [String]) {
        let bytes = Array(text.utf8)
        var pieces = PreTokenizer(bytes)
        var found: [[UInt8]] = []
        while let piece = pieces.next() { found.append(Array(bytes[piece])) }
        #expect(found == expected.map { Array($0.utf8) })
    }
}

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
        // Merges the leftmost of equals.
        #expect(encode("aaa", merges: ["aa"]) == ["aa", "a"])
        #expect(encode("aaaaa", merges: ["aa", "aaaa"]) == ["aaaa", "a"])
        // tiktoken looks up a whole word first, so a token that no merge produces is still found.
        #expect(encode("abc abcd", merges: ["abc"]) == ["abc", " ", "a", "b", "c", "d"])
    }

    @Test func tokensBeyondTheTextAreNotFound() {
        let vocabulary = Vocabulary(tokens: (0...255).map { [UInt8($0)] } + [[0x61, 0x61]])
        #expect(BytePairEncoder(vocabulary, textTokenCount: 256).encode("aa") == [0x61, 0x61])
    }
}

enum TokenizerGoldens {
    static let folder = Fixtures.file("tokenizer")

    static func multilingual() throws -> Tokenizer { try sharedMultilingual.get() }

    static func englishOnly() throws -> Tokenizer { try sharedEnglishOnly.get() }

    /// Loaded once for all tests, because an unoptimised build takes a tenth of a second.
    private static let sharedMultilingual = Result { try Tokenizer(vocabulary: .load(folder: Fixtures.nano)) }

    private static let sharedEnglishOnly = Result {
        try Tokenizer(vocabulary: .load(folder: folder.appendingPathComponent("gpt2")))
    }

    struct Encoding {
        let text: String
        let multilingual: [Int]
        let englishOnly: [Int]
    }

    static func encodings() throws -> [Encoding] {
        try rows("encode.json", of: [String].self).map {
            Encoding(text: $0[0], multilingual: ids($0[1]), englishOnly: ids($0[2]))
        }
    }

    struct Decoding {
        let tokens: [Int]
        let text: String
        let textWithTimestamps: String
    }

    static func decodings() throws -> [Decoding] {
        try rows("decode.json", of: [String].self).map {
            Decoding(tokens: ids($0[0]), text: $0[1], textWithTimestamps: $0[$0.count - 1])
        }
    }

    /// A row of mixed types: a language, ids, words, and how many tokens each word has.
    struct Splitting: Decodable {
        let language: String
        let tokens: [Int]
        let words: [String]
        let counts: [Int]

        init(from decoder: any Decoder) throws {
            var row = try decoder.unkeyedContainer()
            language = try row.decode(String.self)
            tokens = ids(try row.decode(String.self))
            words = try row.decode([String].self)
            counts = try row.decode([Int].self)
        }
    }

    static func splittings() throws -> [Splitting] { try rows("words.json", of: Splitting.self) }

    private static func rows<Row: Decodable>(_ name: String, of row: Row.Type) throws -> [Row] {
        try JSONDecoder().decode([Row].self, from: Data(contentsOf: folder.appendingPathComponent(name)))
    }
}

private func ids(_ base64: String) -> [Int] {
    let bytes = [UInt8](Data(base64Encoded: base64) ?? Data())
    return stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
}

extension String {
    /// Texts are compared by scalars: Swift's `==` treats é and e + ´ as equal, but their tokens differ.
    var scalars: [UInt32] { unicodeScalars.map(\.value) }
}
