import StenoCore
import Testing

@testable import StenoFastConformer

/// Words from tokens of an invented vocabulary.
struct WordBuilderTests {
    private static let texts = [
        "<unk>", "▁hel", "lo", ".", "▁wor", "ld", "▁", "▁¿", "Qué", "▁?", "<de-DE>", "<0xC3>", "<0xBC>", "日", "本", "'s",
        "▁…",
    ]
    private static let tokenizer = FastConformerTokenizer(
        pieces: texts.map { FastConformerTokenizer.Piece($0, isSpecial: $0 == "<unk>") })

    /// The words of pieces: text, first frame and frames of each.
    private static func words(_ pieces: [(String, Int, Int)]) -> [UtteranceWord] {
        var builder = WordBuilder(tokenizer)
        builder.append(tokens(pieces))
        builder.endWord()
        return builder.takeWords()
    }

    private static func tokens(_ pieces: [(String, Int, Int)]) -> [FastConformerToken] {
        pieces.map {
            FastConformerToken(id: texts.firstIndex(of: $0.0) ?? 0, frame: $0.1, frames: $0.2, logProbability: -0.5)
        }
    }

    @Test(arguments: [
        // A word begins with a space.
        (["▁hel", "lo", "▁wor", "ld"], [" hello", " world"]), (["lo", "▁wor"], ["lo", " wor"]),
        (["▁", "ld", "▁hel", "'s"], [" ld", " hel's"]),
        // Punctuation joins the word before it.
        (["▁hel", "lo", ".", "▁wor"], [" hello.", " wor"]),
        (["▁hel", "▁?", "▁¿", "Qué", "▁?"], [" hel ?", " ¿Qué ?"]), (["▁…", "▁hel"], [" …", " hel"]),
        // Control tokens have no text, bytes spell characters, and scripts without spaces have a word for each token.
        (["▁hel", "<unk>", "lo", "<de-DE>"], [" hello"]), (["<unk>", "▁", "<de-DE>"], []),
        (["▁wor", "<0xC3>", "<0xBC>"], [" worü"]), (["日", "本", "."], ["日", "本."]),
    ]) func piecesBecomeWords(pieces: [String], words: [String]) {
        #expect(Self.words(pieces.enumerated().map { ($1, $0, 1) }).map(\.text) == words)
    }

    /// A token of TDT may have no duration; punctuation does not make a word longer.
    @Test func timesAreThoseOfTheLetters() {
        let words = Self.words([("▁hel", 10, 2), ("lo", 12, 0), (".", 20, 3), ("▁wor", 25, 4)])
        #expect(words.map(\.start) == [0.8, 2.0])
        #expect(abs(words[0].end - 13 * 0.08) < 1e-12)
        #expect(abs(words[1].end - 29 * 0.08) < 1e-12)
        #expect(words[0].handle == [1, 2, 3])
        // Probabilities are of the tokens.
        let word = Self.words([("▁hel", 0, 1), ("lo", 1, 1)])[0]
        #expect(abs(word.probability - 0.6065306) < 1e-6)
        #expect(abs(word.certainty - 0.3678794) < 1e-6)
    }

    @Test func wordsAreTakenOnce() {
        var builder = WordBuilder(Self.tokenizer)
        builder.append(Self.tokens([("▁hel", 0, 1), ("lo", 1, 1)]))
        #expect(builder.takeWords().isEmpty)
        #expect(builder.open?.text == " hello")
        builder.append(Self.tokens([(".", 2, 1), ("▁wor", 3, 1)]))
        #expect(builder.takeWords().map(\.text) == [" hello."])
        #expect(builder.open?.text == " wor")
        builder.endWord()
        #expect(builder.takeWords().map(\.text) == [" wor"])
        #expect(builder.open == nil)
    }

    @Test func languagesAreCounted() {
        var builder = WordBuilder(Self.tokenizer)
        builder.append(Self.tokens([("<de-DE>", 0, 1), ("▁hel", 0, 1), ("<de-DE>", 0, 1)]))
        #expect(builder.languages == ["de-DE": 2])
    }
}

struct SegmentBuilderTests {
    private static func segments(_ words: [(String, Double, Double)], keepsWords: Bool = false) -> [Segment] {
        var builder = SegmentBuilder(keepsWords: keepsWords)
        // One at a time, as they may arrive.
        for word in words {
            builder.append([UtteranceWord(text: word.0, start: word.1, end: word.2, probability: 0.5)])
        }
        builder.endSegment()
        return builder.takeSegments()
    }

    @Test func aSentenceIsASegment() {
        let words = [
            (" Is", 0.1, 0.3), (" it?", 0.3, 0.5), (" Yes", 0.6, 0.8), (" 3.5", 0.8, 1.0), (" “so.”", 1, 1.2),
            (" And", 2, 2.1),
        ]
        let segments = Self.segments(words)
        #expect(segments.map(\.text) == [" Is it?", " Yes 3.5 “so.”", " And"])
        #expect(segments.map(\.id) == [0, 1, 2])
        #expect(segments.map(\.start) == [0.1, 0.6, 2])
        #expect(segments.map(\.end) == [0.5, 1.2, 2.1])
        #expect(segments.allSatisfy { $0.words == nil })
        // A pause ends a segment.
        #expect(Self.segments([(" a", 0, 1), (" b", 1.9, 2), (" c", 3, 4)]).map(\.text) == [" a b", " c"])
    }

    /// Some models write no punctuation.
    @Test func aSegmentHasAtMostTwentySeconds() {
        let words = (0..<50).map { (" w", Double($0), Double($0) + 0.5) }
        let segments = Self.segments(words)
        #expect(segments.count == 3)
        #expect(segments.allSatisfy { $0.end - $0.start <= 20 })
    }

    @Test func wordsAreKeptOnRequest() {
        let words = Self.segments([(" a", 0.123456, 0.2), (" b.", 0.2, 0.31)], keepsWords: true)[0].words
        #expect(
            words == [
                Word(rawText: " a", start: 0.12, end: 0.2, probability: 0.5),
                Word(rawText: " b.", start: 0.2, end: 0.31, probability: 0.5),
            ])
    }

    @Test func segmentsAreTakenOnce() {
        var builder = SegmentBuilder(keepsWords: false)
        builder.append([UtteranceWord(text: " a.", start: 0, end: 1), UtteranceWord(text: " b", start: 1, end: 2)])
        #expect(builder.takeSegments().map(\.text) == [" a."])
        #expect(builder.takeSegments().isEmpty)
        builder.endSegment()
        builder.endSegment()
        #expect(builder.takeSegments().map(\.id) == [1])
    }
}
