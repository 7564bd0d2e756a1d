import StenoWhisper
import Testing

struct WordTokensTests {
    @Test func splitsAsFasterWhisper() throws {
        let tokenizer = try TokenizerGoldens.multilingual()
        let goldens = try TokenizerGoldens.splittings()
        #expect(goldens.count > 250)
        for golden in goldens {
            let words = tokenizer.splitToWordTokens(golden.tokens, language: golden.language)
            #expect(words.map(\.text.scalars) == golden.words.map(\.scalars), "\(golden.language) \(golden.words)")
            #expect(words.map(\.tokens.count) == golden.counts, "\(golden.language) \(golden.words)")
            #expect(words.flatMap(\.tokens) == golden.tokens.prefix(golden.counts.reduce(0, +)).map { $0 })
        }
    }

    @Test func splitsAtSpacesOrCharacters() throws {
        let tokenizer = try TokenizerGoldens.multilingual()
        let english = tokenizer.splitToWordTokens(tokenizer.encode(" Hello there, world!"), language: "en")
        #expect(english.map(\.text) == [" Hello", " there", ",", " world", "!"])
        let japanese = tokenizer.splitToWordTokens(tokenizer.encode("猫は寝る"), language: "ja")
        #expect(japanese.map(\.text).joined() == "猫は寝る" && japanese.count > 1)
        #expect(tokenizer.splitToWordTokens([], language: "en") == [])
    }
}
