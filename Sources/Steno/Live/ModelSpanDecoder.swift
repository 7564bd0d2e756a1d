import StenoCore

/// Decodes spans of live audio with a model.
final class ModelSpanDecoder: SpanDecoder {
    private let decoder: any UtteranceDecoding

    /// Allocates what decoding writes; the model is shared.
    init(_ model: any SpeechModel, beams: Int) throws { decoder = try model.makeUtteranceDecoder(beams: beams) }

    /// The tokens of a text that comes before the first utterance.
    func tokens(of text: String) -> [Int] { decoder.tokens(of: text) }

    var isCancelled: () -> Bool {
        get { decoder.isCancelled }
        set { decoder.isCancelled = newValue }
    }

    func decode(_ samples: [Float], _ decoding: LiveDecoding) throws -> UtteranceHypothesis {
        try decoder.decode(samples, decoding.request)
    }
}
