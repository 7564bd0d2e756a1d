import StenoTestSupport
import Testing

@testable import StenoCore

@Suite struct GuardedTextTests {
    @Test func textsAreComparedWithoutPunctuationAndCapitals() {
        #expect(
            GuardedText.keys(of: " Hello, WORLD! It's 3.5 – well-known.") == [
                "hello", "world", "its", "35", "wellknown",
            ])
        #expect(GuardedText.keys(of: "Amara.org") == ["amaraorg"])
        #expect(GuardedText.keys(of: " … ♪ ").isEmpty)
    }

    /// In scripts without spaces the model's word boundaries are arbitrary, so characters are compared.
    @Test func scriptsWithoutSpacesAreComparedByCharacter() {
        #expect(GuardedText.keys(of: "ご視聴 ありがとう。OK") == ["ご", "視", "聴", "あ", "り", "が", "と", "う", "ok"])
        let text = GuardedText([timed(("ご視", 0, 1), ("聴。", 1, 2))])
        #expect(text.units.map(\.item) == [0, 0, 1])
        #expect(text.items(of: 1..<3) == 0..<2)
    }

    @Test func aSyllableTakesLongerThanALetter() {
        #expect(GuardedText.letters(in: spoken("So, it's 10!")) == 7)
        #expect(GuardedText.letters(in: spoken("天気")) == 5)
        #expect(GuardedText.letters(in: spoken("안녕")) == 5)
    }

    @Test func phrasesEndWithSentencesSilencesAndPassages() {
        let first = spoken("Yes. It is") + spoken("far away", from: 3)
        let text = GuardedText([first, spoken("from here", from: 4.2)])
        #expect(text.phrases(without: [:], repeated: []).map(\.items) == [0..<1, 1..<3, 3..<5, 5..<7])
    }

    /// Two repeated phrases are not joined, even if their marks are equal and no pause is between them.
    @Test func aRepeatedPhraseIsAPhraseOfItsOwn() {
        let text = GuardedText([spoken("one two three four. five six seven")])
        let mark = GuardMark(kind: .promptRepetition, reason: "a repetition of the prompt")
        let repeated = [Phrase(items: 1..<3, repeated: mark), Phrase(items: 3..<5, repeated: mark)]
        let phrases = text.phrases(without: [:], repeated: repeated)
        #expect(phrases.map(\.items) == [0..<1, 1..<3, 3..<5, 5..<7])
        #expect(phrases.map(\.repeated) == [nil, mark, mark, nil])
        // The first of two that overlap has the words; removed words divide a phrase.
        let overlapping = [repeated[0], Phrase(items: 2..<6, repeated: mark)]
        let divided = text.phrases(without: [4: mark], repeated: overlapping)
        #expect(divided.map(\.items) == [0..<1, 1..<3, 3..<4, 5..<6, 6..<7])
    }
}
