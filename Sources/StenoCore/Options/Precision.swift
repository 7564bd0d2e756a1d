/// The precision in which a model computes.
public enum Precision: String, Sendable, Hashable, CaseIterable {
    /// The fastest precision: int8.
    ///
    /// Its WER is close to float32's; which words differ depends on the instruction set.
    case automatic
    /// Weights and activations in float32: the reference, with the same tokens as faster-whisper in float32.
    case float32
    /// Weights in int8 with per-row scales; activations and attention are quantised dynamically, and sums are exact.
    ///
    /// Norms, softmax, the residual stream and the encoder's convolutions stay in float32; the self-attention KV cache
    /// is in bfloat16.
    case int8

    package var resolved: Precision { self == .automatic ? .int8 : self }
}
