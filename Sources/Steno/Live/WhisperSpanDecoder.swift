import StenoWhisper

/// Decodes spans of a live sound with a Whisper model.
final class WhisperSpanDecoder: SpanDecoder {
    private let decoder: UtteranceDecoder

    /// Allocates what decoding writes; the model is shared.
    init(_ model: WhisperModel, beams: Int) throws { decoder = try UtteranceDecoder(model, beams: beams) }

    var isCancelled: () -> Bool {
        get { decoder.isCancelled }
        set { decoder.isCancelled = newValue }
    }

    func decode(_ samples: [Float], _ decoding: LiveDecoding) throws -> UtteranceHypothesis {
        try decoder.decode(samples, decoding.request)
    }
}
