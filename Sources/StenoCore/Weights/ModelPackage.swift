/// A whole model, whatever files it comes from: what a model family needs to load one.
///
/// A package maps the family's canonical tensor names to what its files contain: one tensor for each name, even where
/// a format stores several as one or under other names. For Whisper the names are those of OpenAI's published
/// checkpoints (`encoder.blocks.0.attn.query.weight`).
package protocol ModelPackage: Sendable {
    /// Where the model came from and how it is stored.
    var source: ModelSource { get }

    /// What no tensor's shape tells.
    var configuration: ModelConfiguration { get }

    /// Reads the vocabulary.
    ///
    /// - Parameter checkCancellation: Called from time to time; what it throws ends the reading.
    func vocabulary(checkCancellation: () throws -> Void) throws -> ModelVocabulary

    /// The tensor with that canonical name; nil when there is none.
    func tensor(_ name: String) throws -> WeightTensor?
}

extension ModelPackage {
    /// The tensor of that name, of exactly that shape.
    package func tensor(_ name: String, shape: [Int]) throws -> WeightTensor {
        guard let tensor = try tensor(name) else {
            throw StenoError(
                .modelDamaged, "The model has no tensor \(name). Is it a model of this kind, and complete?")
        }
        guard tensor.shape == shape else {
            throw StenoError(
                .modelDamaged, "The model's tensor \(name) has the shape \(tensor.shape) instead of \(shape).")
        }
        return tensor
    }
}

/// What a model's files say about it beside the tensors.
package struct ModelConfiguration: Sendable, Hashable {
    /// The attention heads of each encoder layer; nil when the files do not say.
    package var encoderHeads: Int?
    /// The attention heads of each decoder layer; nil when the files do not say.
    package var decoderHeads: Int?
    /// How many mel bands the features have; nil when the files do not say.
    package var melCount: Int?
    /// The epsilon of the layer norms.
    package var normEpsilon: Float = 1e-5
    /// The tokens that are never written when the default list is asked for; empty when the files have none.
    package var suppressedTokens: [Int] = []
    /// The tokens that do not come first; empty when the files have none.
    package var suppressedAtBegin: [Int] = []
    /// The decoder's cross-attention heads that follow the speech; nil when the files have none.
    package var alignmentHeads: [AlignmentHead]?

    /// Creates a configuration that says nothing.
    package init() {}
}

/// A cross-attention head of a decoder.
package struct AlignmentHead: Sendable, Hashable {
    package var layer: Int
    package var head: Int

    package init(layer: Int, head: Int) {
        self.layer = layer
        self.head = head
    }
}

/// A model's tokens, as its files list them.
package struct ModelVocabulary: Sendable {
    /// The bytes of the tokens in the order of their ids.
    package var tokens: Vocabulary
    /// Whether special tokens are among them under their names, such as `<|endoftext|>`; if not, their ids follow from
    /// the number of rows of the embedding.
    package var namesSpecialTokens: Bool
    /// Whether a list of merges came with the tokens (`tokenizer.json`); without one a token's id is its merge's rank.
    package var hasMerges: Bool

    package init(tokens: Vocabulary, namesSpecialTokens: Bool, hasMerges: Bool) {
        self.tokens = tokens
        self.namesSpecialTokens = namesSpecialTokens
        self.hasMerges = hasMerges
    }
}

/// Where a model came from and how it is stored.
public struct ModelSource: Sendable, Hashable {
    /// The model's folder or file.
    public var path: String
    /// What the format is, such as `CTranslate2 model.bin, version 6`.
    public var format: String
    /// The numbers most weights are stored in: `float32`, `float16`, `bfloat16` or `int8`.
    public var storedPrecision: String
    /// The size of the weights' file in bytes.
    public var byteCount: Int

    /// Creates a description.
    public init(path: String, format: String, storedPrecision: String, byteCount: Int) {
        self.path = path
        self.format = format
        self.storedPrecision = storedPrecision
        self.byteCount = byteCount
    }
}
