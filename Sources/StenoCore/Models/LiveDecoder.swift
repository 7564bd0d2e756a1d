/// A model's interface for live transcription.
package struct LiveDecoder {
    /// How the model processes audio.
    package enum Model {
        /// As a whole: an utterance is decoded repeatedly while it grows, and the caller decides which words are final.
        case repeated(any UtteranceDecoding)
        /// Every sample once: the model decides which words are final.
        case streaming(any StreamDecoding)
    }

    /// Surrounds a decoding, for example to wait for a turn first; it calls `decode` and returns the result.
    package typealias Wrapper = (
        _ isCancelled: () -> Bool, _ decode: () throws -> UtteranceHypothesis
    ) throws -> UtteranceHypothesis

    package let model: Model
    private var wrapper: Wrapper = { _, decode in try decode() }

    package static func repeated(_ decoder: any UtteranceDecoding) -> LiveDecoder {
        LiveDecoder(model: .repeated(decoder))
    }

    package static func streaming(_ decoder: any StreamDecoding) -> LiveDecoder {
        LiveDecoder(model: .streaming(decoder))
    }

    /// Checked at every token, layer or step; returning true ends the work with a ``StenoError`` of code `cancelled`.
    package var isCancelled: () -> Bool {
        get {
            switch model {
            case .repeated(let decoder): decoder.isCancelled
            case .streaming(let decoder): decoder.isCancelled
            }
        }
        nonmutating set {
            switch model {
            case .repeated(let decoder): decoder.isCancelled = newValue
            case .streaming(let decoder): decoder.isCancelled = newValue
            }
        }
    }

    /// The same decoder, with a wrapper around each decoding.
    package func wrapped(_ outer: @escaping Wrapper) -> LiveDecoder {
        var wrapped = self
        wrapped.wrapper = { [wrapper] isCancelled, decode in
            try outer(isCancelled) { try wrapper(isCancelled, decode) }
        }
        return wrapped
    }

    /// Decodes an utterance, or for a streaming model its next samples.
    ///
    /// - Parameter isNew: Whether a streaming model begins the utterance with these samples.
    package func decode(_ samples: [Float], _ request: UtteranceRequest, isNew: Bool) throws -> UtteranceHypothesis {
        if isNew, case .streaming(let stream) = model { try stream.begin(request) }
        return try wrapper(isCancelled) {
            switch model {
            case .repeated(let decoder): try decoder.decode(samples, request)
            case .streaming(let stream): try stream.hear(samples, isLast: request.effort == .last)
            }
        }
    }
}

/// The settings of a live decoder; a model refuses settings that it does not support.
package struct LiveDecoderOptions: Sendable, Hashable {
    /// The number of hypotheses in the beam search of thorough decodings.
    package var beamSize: Int
    /// The temperatures of an utterance's last decoding, tried in turn while its text fails the model's quality thresholds.
    package var temperatures: [Double]
    /// The number of tokens of preceding text used as the prompt.
    package var contextTokens: Int

    package init(beamSize: Int = 5, temperatures: [Double] = [0, 0.4, 0.8], contextTokens: Int = 100) {
        (self.beamSize, self.temperatures, self.contextTokens) = (beamSize, temperatures, contextTokens)
    }

    /// Throws if any option has been changed, for families without beam search, sampling and prompts.
    ///
    /// - Throws: ``StenoError`` of code `invalidOption`.
    package func refuseChanges(for family: String) throws {
        guard self != LiveDecoderOptions() else { return }
        throw StenoError(
            .invalidOption,
            "\(family) models have no beam size, temperatures or context tokens in live transcription: leave them out.")
    }
}
