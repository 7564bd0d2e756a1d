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

/// Where a model came from and how it is stored.
package struct ModelSource: Sendable, Hashable {
    /// The model's folder or file.
    package var path: String
    /// The file format, such as `CTranslate2 model.bin, version 6`.
    package var format: String
    /// The format in which most weights are stored: `float32`, `float16`, `bfloat16`, `int8`, or one of GGML's such as
    /// `q5_0`.
    package var storedPrecision: String
    /// The size of the files with the weights, in bytes.
    package var byteCount: Int

    package init(path: String, format: String, storedPrecision: String, byteCount: Int) {
        self.path = path
        self.format = format
        self.storedPrecision = storedPrecision
        self.byteCount = byteCount
    }

    /// A phrase that says what computing in a precision means for the stored weights.
    package func meaning(of precision: Precision) -> String {
        switch (precision, storedPrecision) {
        case (.float32, _): "float32 computes the stored values exactly"
        case (_, "int8"): "the matrices are computed in 8 bits, as they are stored"
        case (_, let stored):
            "weights stored in \(stored) are rounded to 8 bits when the model is loaded; float32 computes them exactly"
        }
    }
}
