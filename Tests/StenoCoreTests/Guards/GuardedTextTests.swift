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
}
