/// The numbers a model computes with.
public enum Precision: String, Sendable, Hashable, CaseIterable {
    /// The fastest that keeps the word errors: int8.
    case automatic
    /// Weights and activations in 32-bit floats: the reference, token for token with faster-whisper's float32.
    case float32
    /// Weights as bytes with a scale a row, activations and attention quantised on the fly, sums exact.
    ///
    /// Norms, softmax, the residual stream and the encoder's convolutions stay in 32-bit floats; the decoder keeps its
    /// own past in bfloat16.
    case int8

    /// What is really computed with.
    package var resolved: Precision { self == .automatic ? .int8 : self }
}
