package import StenoCompute
import StenoCore

/// The dimensions of a streaming Moonshine model, which encodes audio as it is spoken.
package struct StreamingConfiguration: Sendable, Hashable {
    /// The number of channels of the encoder.
    package var width: Int
    /// The number of channels of the encoder layers' hidden layer.
    package var hiddenWidth: Int
    package var heads: AttentionHeads
    /// What each layer of the encoder sees.
    package var windows: [AttentionWindow]
    /// The number of positions that the decoder can tell apart: the maximum length of the audio of a text.
    package var audioContext: Int
    package var decoder: DecoderShape

    /// The number of positions that must follow a position before its encoding is final: the sum over the layers.
    package var lookAhead: Int { windows.reduce(0) { $0 + $1.future } }
}

/// The positions that a position of a layer sees, besides itself.
package struct AttentionWindow: Sendable, Hashable {
    /// The number of positions before it.
    package var past: Int
    /// The number of positions after it.
    package var future: Int

    package init(past: Int, future: Int) {
        (self.past, self.future) = (past, future)
    }
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
