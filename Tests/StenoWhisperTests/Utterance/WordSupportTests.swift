import Testing

@testable import StenoCore
@testable import StenoWhisper

/// The share of a search's texts with a word, weighted by probability.
struct WordSupportTests {
    private let tokenizer: Tokenizer

    init() throws { tokenizer = try TokenizerGoldens.multilingual() }

    private func hypothesis(_ text: String, _ logProbability: Float, byLetter: Bool = false) -> Hypothesis {
        let tokens = byLetter ? text.flatMap { tokenizer.encode(String($0)) } : tokenizer.encode(text)
        return Hypothesis(tokens: tokens, tokenLogProbabilities: tokens.map { _ in 0 }, logProbability: logProbability)
    }

    /// The support of each word of the first of the texts.
    private func support(_ texts: [(String, Float)], language: String = "en") -> [Double] {
        let hypotheses = texts.map { hypothesis($0.0, $0.1, byLetter: language == "ja") }
        let tokens = hypotheses[0].tokens
        let support = WordSupport(of: tokens, in: hypotheses, tokenizer, language: language)
        var position = 0
        return tokenizer.splitToWordTokens(tokens, language: language).map { word in
            defer { position += word.tokens.count }
            return support[position..<position + word.tokens.count]
        }
    }

    @Test func wordsInAllTextsAreCertain() {
        #expect(support([(" a stitch in time", -2)]) == [1, 1, 1, 1])
        #expect(
            support([(" a stitch in time", -2), (" A stitch in time", -2)]) == [1, 1, 1, 1], "capitals do not matter")
    }

    @Test func textsAreWeightedByProbability() {
        let found = support([(" a stitch in time", -2), (" a stitching time", -2), (" a stitch in time saves", -30)])
        let expected = [1, 0.5, 0.5, 1]
        #expect(found.count == 4 && zip(found, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(found)")
    }

    /// A word in another place is another word.
    @Test func theOrderMatters() {
        let found = support([(" hold on", 0), (" on hold", 0)])
        #expect(found.reduce(0, +) == 1.5, "one of the two is in both texts at its place")
    }

    /// A script without spaces is compared letter by letter.
    @Test func scriptsWithoutSpaces() { #expect(support([("今日は", 0), ("今日も", 0)], language: "ja") == [1, 1, 0.5]) }
}
