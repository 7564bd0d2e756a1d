import StenoCore

/// A Whisper model in any file format.
protocol WhisperFiles: ModelPackage {
    /// The configuration that cannot be derived from the tensors' shapes.
    var configuration: WhisperConfiguration { get }

    /// Whether the vocabulary lists special tokens under their names, such as `<|endoftext|>`; if not, their ids follow
    /// from the number of rows of the embedding.
    var namesSpecialTokens: Bool { get }
}

extension WhisperFiles {
    var normEpsilon: Float { configuration.normEpsilon }
}

/// The properties of a Whisper model that do not follow from the tensors' shapes.
struct WhisperConfiguration: Sendable, Hashable {
    /// The number of attention heads per encoder layer; nil if the files do not specify it.
    var encoderHeads: Int?
    /// The number of attention heads per decoder layer; nil if the files do not specify it.
    var decoderHeads: Int?
    /// The number of mel bands; nil if the files do not specify it.
    var melCount: Int?
    /// The epsilon of the layer norms.
    var normEpsilon: Float = 1e-5
    /// The tokens suppressed by default; empty if the files list none.
    var suppressedTokens: [Int] = []
    /// The tokens suppressed at the start of a text; empty if the files list none.
    var suppressedAtBegin: [Int] = []
    /// The cross-attention heads used for alignment; nil if the files list none.
    var alignmentHeads: [AlignmentHead]?
}

/// A cross-attention head of a decoder.
struct AlignmentHead: Sendable, Hashable {
    var layer: Int
    var head: Int
}
