package import StenoCore

/// The dimensions of a Moonshine model of the first generation, which transcribes whole utterances.
package struct MoonshineConfiguration: Sendable, Hashable {
    /// The number of channels of encoder and decoder: 288 in tiny, 416 in base.
    package var width: Int
    /// The number of channels of the layers' hidden layer.
    package var hiddenWidth: Int
    package var encoderLayers: Int
    package var decoderLayers: Int
    package var encoderHeads: AttentionHeads
    package var decoderHeads: AttentionHeads
    /// The part of a head's channels that rotary position embeddings rotate.
    package var rotaryFactor: Double
    /// The base of the rotation's frequencies.
    package var rotaryBase: Float
    package var vocabularySize: Int
    /// The maximum number of tokens of a text, its start included.
    package var textContext: Int
    /// The token before every text.
    package var startToken: Int
    /// The token after every text.
    package var endToken: Int
    /// Whether the token embedding is also the output projection.
    package var tiesEmbedding: Bool

    /// The decoder's dimensions.
    var decoder: DecoderShape {
        DecoderShape(
            width: width, hiddenWidth: hiddenWidth, layers: decoderLayers, heads: decoderHeads,
            rotatedChannels: Self.rotated(decoderHeads, rotaryFactor), rotaryBase: rotaryBase,
            vocabularySize: vocabularySize, textContext: textContext, tiesEmbedding: tiesEmbedding)
    }

    /// The number of rotated channels of the encoder's heads.
    var rotatedChannels: Int { Self.rotated(encoderHeads, rotaryFactor) }

    /// The number of weights.
    package var parameterCount: Int {
        let attention = 4 * width * encoderHeads.channels
        let feedForward = 2 * width * hiddenWidth + hiddenWidth + width
        let convolutions =
            127 * width + 2 * width + (7 * width + 1) * 2 * width + (3 * 2 * width + 1) * width
        return convolutions + encoderLayers * (attention + feedForward + 2 * width) + width + decoder.parameterCount
    }

    /// The number of channels of a head that are rotated.
    static func rotated(_ heads: AttentionHeads, _ factor: Double) -> Int { Int(Double(heads.width) * factor) }
}

/// The dimensions of a decoder, the same for all of Moonshine's generations.
struct DecoderShape: Sendable, Hashable {
    var width: Int
    var hiddenWidth: Int
    var layers: Int
    var heads: AttentionHeads
    /// The number of channels of each head that are rotated by the token's position.
    var rotatedChannels: Int
    var rotaryBase: Float
    var vocabularySize: Int
    var textContext: Int
    var tiesEmbedding: Bool

    /// The number of weights.
    var parameterCount: Int {
        let attention = 4 * width * heads.channels
        let feedForward = 3 * width * hiddenWidth + 2 * hiddenWidth + width
        return (tiesEmbedding ? 1 : 2) * vocabularySize * width + width
            + layers * (2 * attention + feedForward + 3 * width)
    }
}
