import StenoCompute
import StenoCore

/// The dimensions of a Whisper model, derived from its tensors.
package struct ModelShape: Sendable, Hashable, Codable {
    /// The number of mel bands: 80, or 128 since large-v3.
    package var melCount: Int
    /// The number of encoder positions (20 ms each) in a window: 1500.
    package var audioContext: Int
    /// The length of the decoder's context in tokens: 448.
    package var textContext: Int
    package var width: Int
    /// The encoder's attention heads, of 64 channels each.
    package var encoderHeads: Int
    /// The decoder's attention heads, of 64 channels each.
    package var decoderHeads: Int
    package var encoderLayers: Int
    /// The number of decoder layers; distilled models have two or four.
    package var decoderLayers: Int
    /// The number of tokens, timestamps included.
    package var vocabularySize: Int

    static let headWidth = 64

    /// The number of frames (10 ms each) in a window.
    package var windowFrames: Int { 2 * audioContext }

    package var parameterCount: Int {
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
    /// A limit above any Whisper model: large has 32 layers.
    private static let maximumLayers = 128

    /// Derives the shape from a package's tensors and the head counts in its configuration.
    init(_ model: some WhisperFiles) throws {
        let convolution = try Self.shape(of: "encoder.conv1.weight", rank: 3, in: model)
        let embedding = try Self.shape(of: "decoder.token_embedding.weight", rank: 2, in: model)
        width = convolution[0]
        melCount = convolution[1]
        vocabularySize = embedding[0]
        audioContext = try Self.shape(of: "encoder.positional_embedding", rank: 2, in: model)[0]
        textContext = try Self.shape(of: "decoder.positional_embedding", rank: 2, in: model)[0]
        encoderLayers = try Self.layers("encoder", in: model)
        decoderLayers = try Self.layers("decoder", in: model)
        encoderHeads = model.configuration.encoderHeads ?? width / Self.headWidth
        decoderHeads = model.configuration.decoderHeads ?? width / Self.headWidth
        try check(embeddingWidth: embedding[1])
        if let melCount = model.configuration.melCount, melCount != self.melCount {
            throw StenoError(
                .modelDamaged,
                "The model's configuration says \(melCount) mel bands, but its weights have \(self.melCount): they "
                    + "belong to different models. Download the model again.")
        }
    }

    private static func shape(of name: String, rank: Int, in model: some ModelPackage) throws -> [Int] {
        guard let tensor = try model.tensor(name), tensor.shape.count == rank else {
            throw StenoError(
                .modelUnsupported,
                "The model has no tensor \(name) of rank \(rank), so it is probably not a Whisper model. Choose a "
                    + "Whisper model."
            )
        }
        return tensor.shape
    }

    private static func layers(_ part: String, in model: some ModelPackage) throws -> Int {
        let found = try (0...maximumLayers).filter { try model.tensor("\(part).blocks.\($0).attn_ln.weight") != nil }
        // With a gap, the layers before it would invent text.
        guard let last = found.last, let missing = (0..<last).first(where: { found[$0] != $0 }) else {
            return found.count
        }
        throw StenoError(
            .modelDamaged,
            "The model has no \(part) layer \(missing), counted from 0, but a layer \(last). Download or convert the model "
                + "again.")
    }

    /// Rejects dimensions that no Whisper model has, so that later code can rely on plausible ones.
    private func check(embeddingWidth: Int) throws {
        let problem: String? =
            if width != embeddingWidth {
                "its encoder has \(width) channels and its decoder \(embeddingWidth)"
            } else if width % Self.headWidth != 0
                || [encoderHeads, decoderHeads].contains(where: { $0 != width / Self.headWidth })
            {
                "its heads do not have 64 channels"
            } else if width > 16_384 || vocabularySize > 1_000_000 {
                "it has \(width) channels and \(vocabularySize) tokens"
            } else if encoderLayers == 0 || decoderLayers == 0 {
                "it has no layers"
            } else if max(encoderLayers, decoderLayers) > Self.maximumLayers {
                "it has more than \(Self.maximumLayers) layers"
            } else if !(1...512).contains(melCount) || !(1...10_000).contains(audioContext) {
                "it has \(melCount) mel bands and \(audioContext) audio positions"
            } else if !(32...512).contains(textContext) || vocabularySize < 1000 {
                "it has \(textContext) text positions and \(vocabularySize) tokens"
            } else {
                nil
            }
        guard let problem else { return }
        throw StenoError(
            .modelUnsupported,
            "This is not a Whisper model that Steno can run: \(problem). Choose another model.")
    }
}
