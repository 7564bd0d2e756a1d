internal import Foundation
import StenoCompute
import StenoCore

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

/// The relevant part of `preprocessor_config.json`, which both CTranslate2 and Hugging Face folders have.
struct PreprocessorFile: Decodable {
    static let name = "preprocessor_config.json"

    /// The number of mel bands.
    var feature_size: Int?

    /// The number of mel bands in a folder's file; nil if it does not give one.
    static func melCount(in folder: URL) throws -> Int? {
        try ModelJSON.read(Self.self, name, in: folder)?.feature_size
    }
}
