package import StenoCore

/// A streaming model's decoder for live audio: hears every sample once.
///
/// All of its tokens are final. A word is final when the next one begins, since until then it may get an ending or
/// punctuation.
package final class FastConformerStream: StreamDecoding {
    package var isCancelled: () -> Bool = { false } { didSet { state.isCancelled = isCancelled } }

    private let languages: SpokenLanguages
    private let tokenizer: FastConformerTokenizer
    private let state: FastConformerState
    private let lookAhead: Int
    private var words: WordBuilder
    /// The code of the model's prompt.
    private var prompt: String?

    /// - Parameter lookAhead: One of the model's look-aheads, in frames of 80 ms: text follows the speech by one more.
    init(_ model: FastConformerModel, _ languages: SpokenLanguages, lookAhead: Int) throws {
        self.languages = languages
        tokenizer = model.tokenizer
        state = try model.makeState()
        words = WordBuilder(tokenizer)
        self.lookAhead = lookAhead
    }

    /// The look-ahead for live text: half a second if the model has it.
    ///
    /// With at least six frames the text is as good as with more; with one or none, punctuation suffers.
    package static func preferred(_ lookAheads: [Int]) -> Int {
        lookAheads.filter { $0 >= 6 }.min() ?? lookAheads.max() ?? 0
    }

    package var step: Double { Double(lookAhead + 1) * FastConformerConfiguration.frameSeconds }

    package func begin(_ request: UtteranceRequest) throws {
        prompt = try languages.prompt(for: request.settings.language)
        words = WordBuilder(tokenizer)
        state.setPhrases(request.settings.vocabulary)
        try state.begin(lookAhead: lookAhead, language: prompt)
    }

    package func hear(_ samples: [Float], isLast: Bool) throws -> UtteranceHypothesis {
        words.append(try state.hear(samples, isLast: isLast))
        if isLast { words.endWord() }
        let complete = words.takeWords()
        let named = prompt == nil ? SpokenLanguages.detection(words.languages) : nil
        return UtteranceHypothesis(
            words: complete + (words.open.map { [$0] } ?? []), finalCount: complete.count,
            language: named ?? languages.detection(prompt))
    }
}
