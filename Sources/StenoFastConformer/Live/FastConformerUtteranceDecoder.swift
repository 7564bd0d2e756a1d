package import StenoCore

/// A decoder of whole utterances for live audio: decodes an utterance again while it grows.
///
/// The search is always greedy, so options for beams and temperatures do not apply, and a draft saves nothing.
package final class FastConformerUtteranceDecoder: UtteranceDecoding {
    /// What lies beyond is ignored.
    private static let longest = 30 * FastConformerConfiguration.sampleRate

    package var isCancelled: () -> Bool = { false } {
        didSet { state.isCancelled = isCancelled }
    }

    package var searchesAlike: Bool { true }

    private let speech: FastConformerSpeechModel
    private let state: FastConformerState
    /// The last result: the policy asks for the same audio again when an utterance ends.
    private var last: (samples: [Float], language: String?, hypothesis: UtteranceHypothesis)?

    /// Creates a decoder.
    package init(_ speech: FastConformerSpeechModel) throws {
        self.speech = speech
        state = try speech.model.makeState()
    }

    package func decode(_ samples: [Float], _ request: UtteranceRequest) throws -> UtteranceHypothesis {
        let samples = Array(samples.prefix(Self.longest))
        let prompt = try speech.languages.prompt(for: request.settings.language)
        if let last, last.language == prompt, last.samples == samples { return last.hypothesis }
        var words = WordBuilder(speech.model.tokenizer)
        words.append(try samples.withUnsafeBufferPointer { try state.transcribe($0, language: prompt) })
        words.endWord()
        let named = prompt == nil ? SpokenLanguages.detection(words.languages) : nil
        let end = Double(samples.count) / Double(FastConformerConfiguration.sampleRate)
        let hypothesis = UtteranceHypothesis(
            words: words.takeWords().map { $0.ending(by: end) }, language: named ?? speech.languages.detection(prompt))
        last = (samples, prompt, hypothesis)
        return hypothesis
    }
}
