import StenoCore

/// A Whisper model whose stages are measured, with the sizes that determine its roofline.
@_spi(Benchmarks) public struct MeasuredModel: Sendable {
    let model: WhisperModel

    /// Wraps a model.
    package init(_ model: WhisperModel) { self.model = model }

    /// Whether it computes with int8 weights.
    public var isInt8: Bool { model.precision == .int8 }
    /// The number of mel bands.
    public var melCount: Int { model.shape.melCount }
    /// The number of encoder positions in a window.
    public var audioContext: Int { model.shape.audioContext }
    /// The number of positions of the decoder.
    public var textContext: Int { model.shape.textContext }
    /// The width of the layers.
    public var width: Int { model.shape.width }
    /// The number of layers of the encoder.
    public var encoderLayers: Int { model.shape.encoderLayers }
    /// The number of layers of the decoder.
    public var decoderLayers: Int { model.shape.decoderLayers }
    /// The number of tokens.
    public var vocabularySize: Int { model.shape.vocabularySize }
}

extension WindowStages {
    /// Allocates everything for one window of a model.
    @_spi(Benchmarks) public convenience init(_ model: MeasuredModel, previousTokens: Int = 0) throws {
        try self.init(model.model, previousTokens: previousTokens)
    }
}
