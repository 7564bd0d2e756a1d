import StenoCore

/// The sizes of a Whisper model, as its tensors have them.
public struct ModelShape: Sendable, Hashable, Codable {
    /// How many mel bands a frame has: 80, or 128 since large-v3.
    public var melCount: Int
    /// How many positions of 20 ms the encoder gives for a window: 1500.
    public var audioContext: Int
    /// How many tokens the decoder can look back on: 448.
    public var textContext: Int
    /// The channels of a position, the same in encoder and decoder.
    public var width: Int
    /// The encoder's attention heads, of 64 channels each.
    public var encoderHeads: Int
    /// The decoder's attention heads, of 64 channels each.
    public var decoderHeads: Int
    /// The encoder's layers.
    public var encoderLayers: Int
    /// The decoder's layers; the distilled models have two or four.
    public var decoderLayers: Int
    /// How many tokens there are, timestamps included.
    public var vocabularySize: Int

    /// The channels of one attention head in every Whisper model.
    static let headWidth = 64

    /// The frames of 10 ms in a window.
    public var windowFrames: Int { 2 * audioContext }

    /// The number of weights.
    public var parameterCount: Int {
        let attention = 4 * width * width + 3 * width
        let feedForward = 8 * width * width + 5 * width
        let norm = 2 * width
        let encoder =
            3 * width * melCount + width + 3 * width * width + width + norm
            + encoderLayers * (attention + feedForward + 2 * norm)
        let decoder =
            (vocabularySize + textContext) * width + norm
            + decoderLayers * (2 * attention + feedForward + 3 * norm)
        return encoder + decoder
    }
}

extension ModelShape {
    /// Reads the sizes off the tensors; `heads` are what the file says, if it says.
    init(_ weights: some WeightFile, heads: (encoder: Int?, decoder: Int?)) throws {
        let convolution = try Self.shape(of: "encoder.conv1.weight", rank: 3, in: weights)
        let embedding = try Self.shape(of: "decoder.token_embedding.weight", rank: 2, in: weights)
        width = convolution[0]
        melCount = convolution[1]
        vocabularySize = embedding[0]
        audioContext = try Self.shape(of: "encoder.positional_embedding", rank: 2, in: weights)[0]
        textContext = try Self.shape(of: "decoder.positional_embedding", rank: 2, in: weights)[0]
        encoderLayers = try Self.layers("encoder", in: weights)
        decoderLayers = try Self.layers("decoder", in: weights)
        encoderHeads = heads.encoder ?? width / Self.headWidth
        decoderHeads = heads.decoder ?? width / Self.headWidth
        try check(embeddingWidth: embedding[1])
    }

    private static func shape(of name: String, rank: Int, in weights: some WeightFile) throws -> [Int] {
        guard let tensor = try weights.tensor(name), tensor.shape.count == rank else {
            throw StenoError(
                .modelUnsupported, "The model has no tensor \(name) of rank \(rank): not a Whisper model?")
        }
        return tensor.shape
    }

    private static func layers(_ part: String, in weights: some WeightFile) throws -> Int {
        var count = 0
        while try weights.tensor("\(part).blocks.\(count).attn_ln.weight") != nil { count += 1 }
        return count
    }

    /// Refuses what no Whisper model is, so that no later shape can be absurd.
    private func check(embeddingWidth: Int) throws {
        let problem: String? =
            if width != embeddingWidth {
                "its encoder has \(width) channels and its decoder \(embeddingWidth)"
            } else if encoderHeads * Self.headWidth != width || decoderHeads * Self.headWidth != width {
                "its heads do not have 64 channels"
            } else if width > 16_384 || vocabularySize > 1_000_000 {
                "it has \(width) channels and \(vocabularySize) tokens"
            } else if encoderLayers == 0 || decoderLayers == 0 {
                "it has no layers"
            } else if !(1...512).contains(melCount) || !(1...10_000).contains(audioContext) {
                "it has \(melCount) mel bands and \(audioContext) audio positions"
            } else if !(32...512).contains(textContext) || vocabularySize < 1000 {
                "it has \(textContext) text positions and \(vocabularySize) tokens"
            } else {
                nil
            }
        guard let problem else { return }
        throw StenoError(.modelUnsupported, "This is not a Whisper model that can be run: \(problem).")
    }
}
