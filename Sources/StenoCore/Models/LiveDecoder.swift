/// A model's interface for live transcription: one of two, depending on how the model processes audio.
package enum LiveDecoder {
    /// The model processes audio as a whole: an utterance is decoded repeatedly while it grows, and the caller decides
    /// which words are final.
    case repeated(any UtteranceDecoding)
    /// The model processes every sample once and decides which words are final.
    case streaming(any StreamDecoding)

    /// Checked at every token, layer or step; returning true ends the work with a ``StenoError`` of code `cancelled`.
    package var isCancelled: () -> Bool {
        get {
            switch self {
            case .repeated(let decoder): decoder.isCancelled
            case .streaming(let decoder): decoder.isCancelled
            }
        }
        nonmutating set {
            switch self {
            case .repeated(let decoder): decoder.isCancelled = newValue
            case .streaming(let decoder): decoder.isCancelled = newValue
            }
        }
    }

    /// Wraps a decoding, for example to wait for a turn first; it calls `decode` and returns the result.
    package typealias Wrapper = (
        _ isCancelled: () -> Bool, _ decode: () throws -> UtteranceHypothesis
    ) throws -> UtteranceHypothesis

    /// The same decoder, with a wrapper around each decoding.
    package func wrapped(_ wrapper: @escaping Wrapper) -> LiveDecoder {
        switch self {
        case .repeated(let decoder): .repeated(WrappedDecoder(decoder, wrapper))
        case .streaming(let decoder): .streaming(WrappedStream(decoder, wrapper))
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

    /// Creates options; the defaults suit every model.
    package init(beamSize: Int = 5, temperatures: [Double] = [0, 0.4, 0.8], contextTokens: Int = 100) {
        self.beamSize = beamSize
        self.temperatures = temperatures
        self.contextTokens = contextTokens
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

private final class WrappedDecoder: UtteranceDecoding {
    private let decoder: any UtteranceDecoding
    private let wrapper: LiveDecoder.Wrapper

    init(_ decoder: any UtteranceDecoding, _ wrapper: @escaping LiveDecoder.Wrapper) {
        (self.decoder, self.wrapper) = (decoder, wrapper)
    }

    var isCancelled: () -> Bool {
        get { decoder.isCancelled }
        set { decoder.isCancelled = newValue }
    }

    var searchesAlike: Bool { decoder.searchesAlike }

    func decode(_ samples: [Float], _ request: UtteranceRequest) throws -> UtteranceHypothesis {
        try wrapper(decoder.isCancelled) { try decoder.decode(samples, request) }
    }
}

private final class WrappedStream: StreamDecoding {
    private let decoder: any StreamDecoding
    private let wrapper: LiveDecoder.Wrapper

    init(_ decoder: any StreamDecoding, _ wrapper: @escaping LiveDecoder.Wrapper) {
        (self.decoder, self.wrapper) = (decoder, wrapper)
    }

    var isCancelled: () -> Bool {
        get { decoder.isCancelled }
        set { decoder.isCancelled = newValue }
    }

    var step: Double { decoder.step }

    func begin(_ request: UtteranceRequest) throws { try decoder.begin(request) }

    func hear(_ samples: [Float], isLast: Bool) throws -> UtteranceHypothesis {
        try wrapper(decoder.isCancelled) { try decoder.hear(samples, isLast: isLast) }
    }
}
