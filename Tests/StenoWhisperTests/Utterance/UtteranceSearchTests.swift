import Testing

@testable import StenoCore
@testable import StenoWhisper

/// How Whisper searches for a request.
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
