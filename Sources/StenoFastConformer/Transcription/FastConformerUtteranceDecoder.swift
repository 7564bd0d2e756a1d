package import StenoCore

/// A decoder of whole utterances for live audio: decodes an utterance again while it grows.
///
/// The search is always greedy, so options for beams and temperatures do not apply, and a draft saves nothing.
package final class FastConformerUtteranceDecoder: UtteranceDecoding {
    /// What lies beyond is ignored.
    private static let longest = 30 * FastConformerConfiguration.sampleRate

    package var isCancelled: () -> Bool = { false } { didSet { state.isCancelled = isCancelled } }

    package var searchesAlike: Bool { true }

    private let tokenizer: FastConformerTokenizer
    private let languages: SpokenLanguages
    private let state: FastConformerState
    /// The last result: the policy asks for the same audio again when an utterance ends.
    private var last: (samples: [Float], settings: SpeechSettings, hypothesis: UtteranceHypothesis)?

    init(_ model: FastConformerModel, _ languages: SpokenLanguages) throws {
        (tokenizer, self.languages) = (model.tokenizer, languages)
        state = try model.makeState()
    }

    package func decode(_ samples: [Float], _ request: UtteranceRequest) throws -> UtteranceHypothesis {
        let samples = Array(samples.prefix(Self.longest))
        let prompt = try languages.prompt(for: request.settings.language)
        if let last, last.settings == request.settings, last.samples == samples { return last.hypothesis }
        if last?.settings.vocabulary != request.settings.vocabulary { state.setPhrases(request.settings.vocabulary) }
        var words = WordBuilder(tokenizer)
        words.append(try samples.withUnsafeBufferPointer { try state.transcribe($0, language: prompt) })
        words.endWord()
        let named = prompt == nil ? SpokenLanguages.detection(words.languages) : nil
        let end = Double(samples.count) / Double(FastConformerConfiguration.sampleRate)
        let hypothesis = UtteranceHypothesis(
            words: words.takeWords().map { $0.ending(by: end) }, language: named ?? languages.detection(prompt))
        last = (samples, request.settings, hypothesis)
        return hypothesis
    }
}
