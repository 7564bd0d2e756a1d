package import StenoCompute
import StenoCore

/// The dimensions of a Moonshine model of the first generation, which transcribes whole utterances.
package struct MoonshineConfiguration: Sendable, Hashable {
    /// The number of channels of the encoder: 288 in tiny, 416 in base.
    package var width: Int
    /// The number of channels of the encoder layers' hidden layer.
    package var hiddenWidth: Int
    package var layers: Int
    package var heads: AttentionHeads
    /// The number of channels of each head that are rotated by the position.
    package var rotatedChannels: Int
    package var decoder: DecoderShape
}
