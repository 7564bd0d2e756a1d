package import StenoCompute
import StenoCore

/// The dimensions of a Moonshine model of either generation.
package struct MoonshineConfiguration: Sendable, Hashable {
    /// The number of channels of the encoder: 288 in tiny, 416 in base.
    package var width: Int
    /// The number of channels of the encoder layers' hidden layer.
    package var hiddenWidth: Int
    package var layers: Int
    package var heads: AttentionHeads
    /// The number of channels of each of its heads that are rotated by the position; none if it streams.
    package var rotatedChannels: Int
    package var decoder: DecoderShape
    /// What a model has that encodes audio as it is spoken; nil for whole utterances.
    package var streaming: StreamingShape?
}

/// The dimensions and tokens of a decoder, the same for all of Moonshine's generations.
package struct DecoderShape: Sendable, Hashable {
    package var width: Int
    /// The number of channels of the layers' hidden layer.
    package var hiddenWidth: Int
    package var layers: Int
    package var heads: AttentionHeads
    /// The number of channels of each head that are rotated by the token's position.
    package var rotatedChannels: Int
    /// The base of the rotation's frequencies.
    package var rotaryBase: Float
    package var vocabularySize: Int
    /// The maximum number of tokens of a text, its start included.
    package var textContext: Int
    package var startToken: Int
    package var endToken: Int
    /// Whether the token embedding is also the output projection.
    package var tiesEmbedding: Bool

    /// The tokens before a text: its start, and a prefix.
    ///
    /// - Throws: `invalidOption` if no token fits after them, or if the model does not know them.
    func forced(_ prefix: [Int]) throws -> [Int] {
        try ensure(
            prefix.count < textContext && prefix.allSatisfy({ (0..<vocabularySize).contains($0) }), or: .invalidOption,
            "A text of \(prefix.count) tokens cannot be continued: the model knows \(vocabularySize) tokens, and "
                + "texts of \(textContext). Use a shorter one.")
        return [startToken] + prefix
    }
}

/// What the encoder of a streaming model hears at once.
package struct StreamingShape: Sendable, Hashable {
    package var windows: [AttentionWindow]
    /// The number of positions that the decoder can tell apart: the maximum length of the audio of a text.
    package var audioContext: Int

    /// The number of positions that must follow a position before its encoding is final: the sum over the layers.
    package var lookAhead: Int { windows.reduce(0) { $0 + $1.future } }
}

/// The positions that a position of a layer sees, besides itself.
package struct AttentionWindow: Sendable, Hashable {
    /// The number of positions before it.
    package var past: Int
    /// The number of positions after it.
    package var future: Int
}

/// How the windows in a model's configuration are counted.
package enum WindowReading: Sendable, Hashable {
    /// As the model was trained: transformers' later configurations count as ``exclusive`` says, the first ones, whose
    /// windows have 16 positions, as ``inclusive`` says (transformers#46305).
    case asTrained
    /// (16, 4) is 15 positions before and 3 after: the mask that transformers computes.
    case exclusive
    /// (16, 4) is 16 positions before and 4 after.
    case inclusive
}
