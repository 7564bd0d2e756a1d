import Testing

@testable import StenoCore
@testable import StenoWhisper

struct UtteranceSearchTests {
    private func search(
        _ effort: UtteranceRequest.Effort, context: [TextPiece] = [], draft: [TextPiece] = [],
        _ options: LiveDecoderOptions = LiveDecoderOptions(beamSize: 4, temperatures: [0, 0.5], contextTokens: 3)
    ) -> UtteranceSearch {
        let settings = SpeechSettings(language: "de", task: .translate, vocabulary: ["Zwettl", "Krems"])
        let request = UtteranceRequest(settings, effort: effort, context: context, draft: draft)
        return UtteranceSearch(request, options) { text in text.unicodeScalars.map { Int($0.value) } }
    }

    /// For partial text, less silence is encoded and the search is greedy; only the last text is decoded again.
    @Test func partialTextCostsLess() {
        let (quick, thorough, last) = (search(.quick), search(.thorough), search(.last))
        #expect([quick, thorough, last].map(\.beamSize) == [1, 4, 4])
        #expect([quick, thorough, last].map(\.temperatures) == [[0], [0], [0, 0.5]])
        #expect([quick, thorough, last].map(\.minimumEncodedSeconds) == [8, 16, 16])
    }

    @Test func languageAndTask() {
        let asked = search(.quick)
        #expect(asked.language == "de" && asked.task == .translate && asked.hotwords == "Zwettl, Krems")
    }

    /// The model's words are kept as tokens, other text is encoded, and the newest tokens are the prompt.
    @Test func theContext() {
        let own = TextPiece(" own", handle: [1, 2])
        #expect(search(.quick, context: [own]).context == [1, 2])
        #expect(search(.quick, context: [TextPiece("AB"), own]).context == [66, 1, 2])
        #expect(search(.quick, context: [own, own]).context == [2, 1, 2])
        #expect(search(.quick, context: [own], LiveDecoderOptions(contextTokens: 0)).context.isEmpty)
        #expect(search(.quick, draft: [own, TextPiece(" b", handle: [3])]).draft == [1, 2, 3])
    }

    /// Whether a text was sampled, and whether it nearly fills the model's context.
    @Test(arguments: [(0.4, 8, false, false), (0.8, 9, true, true)])
    func hypothesesReportSamplingAndLength(temperature: Double, tokens: Int, isSampled: Bool, isLong: Bool) {
        let word = UtteranceWord(text: " w", handle: [Int](repeating: 1, count: tokens), start: 0, end: 1)
        let hypothesis = UtteranceHypothesis(
            [word], in: LanguageDetection(language: "en", probability: 1), temperature: temperature,
            quality: TextQuality(averageLogProbability: -2, compressionRatio: 1, noSpeechProbability: 0),
            thresholds: QualityThresholds(), room: 16)
        #expect(hypothesis.isSampled == isSampled && hypothesis.isLong == isLong)
        #expect(hypothesis.isImplausible && !hypothesis.isSilence && hypothesis.words == [word])
    }
}

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

    @Test func wordsAreWeightedByProbability() {
        #expect(support([(" a stitch in time", -2)]) == [1, 1, 1, 1])
        #expect(
            support([(" a stitch in time", -2), (" A stitch in time", -2)]) == [1, 1, 1, 1], "capitals do not matter")
        let found = support([(" a stitch in time", -2), (" a stitching time", -2), (" a stitch in time saves", -30)])
        let expected = [1, 0.5, 0.5, 1]
        #expect(found.count == 4 && zip(found, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(found)")
    }

    /// A word in another place is another word.
    @Test func theOrderMatters() {
        let found = support([(" hold on", 0), (" on hold", 0)])
        #expect(found.reduce(0, +) == 1.5, "one of the two is in both texts at its place")
        // A script without spaces is compared letter by letter.
        #expect(support([("今日は", 0), ("今日も", 0)], language: "ja") == [1, 1, 0.5])
    }
}
