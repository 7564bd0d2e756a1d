import StenoCore

/// Decodes spans of live audio with a model.
final class ModelSpanDecoder: SpanDecoder {
    private let decoder: any UtteranceDecoding

    /// Allocates the decoding state; the model is shared.
    init(_ model: any SpeechModel, beams: Int) throws { decoder = try model.makeUtteranceDecoder(beams: beams) }

    /// The tokens of the prompt of the first utterance.
    func tokens(of text: String) -> [Int] { decoder.tokens(of: text) }

    var isCancelled: () -> Bool {
        get { decoder.isCancelled }
        set { decoder.isCancelled = newValue }
    }

    func decode(_ samples: [Float], _ decoding: LiveDecoding) throws -> UtteranceHypothesis {
        try decoder.decode(samples, decoding.request)
    }
}
