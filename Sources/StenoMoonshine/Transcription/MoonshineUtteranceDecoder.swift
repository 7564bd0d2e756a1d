import StenoCore

/// Decodes an utterance repeatedly while it grows, always greedily: a thorough decoding differs from a quick one only in
/// its audio.
///
/// The model has no prompt, so the text before the utterance is ignored. The words of the last hypothesis are a draft
/// that is verified in one pass, which saves most of the decoder's time.
final class MoonshineUtteranceDecoder: UtteranceDecoding {
    /// A sample above this is more than digital silence or its dither.
    private static let silence: Float = 1e-4
    /// The tokens of half a minute's text.
    private static let room = 194

    var isCancelled: () -> Bool {
        get { recognizer.isCancelled }
        set { recognizer.isCancelled = newValue }
    }

    var searchesAlike: Bool { true }

    private let recognizer: any UtteranceRecognizer
    private let language: (String?) throws -> LanguageDetection
    /// The tokens of the last text, which the next one probably begins with.
    private var lastTokens: [Int] = []

    /// - Parameter language: The language of a request; throws for one that the model does not know.
    init(_ recognizer: any UtteranceRecognizer, language: @escaping (String?) throws -> LanguageDetection) {
        (self.recognizer, self.language) = (recognizer, language)
    }

    func decode(_ samples: [Float], _ request: UtteranceRequest) throws -> UtteranceHypothesis {
        let language = try language(request.settings.language)
        let samples = samples.map { $0.isFinite ? min(max($0, -1), 1) : 0 }
        guard samples.contains(where: { abs($0) > Self.silence }) else {
            return UtteranceHypothesis(words: [], language: language, isSilence: true)
        }
        let draft = request.draft.flatMap(\.handle)
        let text = try recognizer.recognize(samples, draft: draft.isEmpty ? lastTokens : draft)
        lastTokens = text.isSilence ? [] : text.tokens
        guard !text.isSilence else { return UtteranceHypothesis(words: [], language: language, isSilence: true) }
        return UtteranceHypothesis(
            words: text.words, language: language, isImplausible: text.isImplausible,
            isLong: lastTokens.count > Self.room / 2)
    }
}
