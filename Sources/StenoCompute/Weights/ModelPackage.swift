package import StenoCore

/// A complete model in any file format: everything a model family needs to load it.
///
/// A package maps the family's canonical tensor names to the contents of its files: one tensor per name, even if a
/// format stores several as one or under other names. For Whisper the names are those of OpenAI's published checkpoints
/// (`encoder.blocks.0.attn.query.weight`).
package protocol ModelPackage: TensorPackage {
    /// Reads the model's tokens, as listed in its files.
    ///
    /// - Parameter checkCancellation: Called from time to time; an error it throws ends the reading.
    func vocabulary(checkCancellation: () throws -> Void) throws -> Vocabulary
}

/// The tensors of a model in any file format, by the family's canonical names.
package protocol TensorPackage: Sendable {
    /// Where the model came from and how it is stored.
    var source: ModelSource { get }

    /// The epsilon of the layer norms.
    var normEpsilon: Float { get }

    /// The tensor with that canonical name; nil if there is none.
    func tensor(_ name: String) throws -> WeightTensor?
}

extension TensorPackage {
    /// The tensor with that name and exactly that shape.
    package func tensor(_ name: String, shape: [Int]) throws -> WeightTensor {
        guard let tensor = try tensor(name) else {
            throw StenoError(
                .modelDamaged, "The model has no tensor \(name). Check that the model is complete and of this family.")
        }
        guard tensor.shape == shape else {
            throw StenoError(
                .modelDamaged,
                "The model's tensor \(name) has the shape \(tensor.shape) instead of \(shape). "
                    + "Download or convert the model again.")
        }
        return tensor
    }
}
