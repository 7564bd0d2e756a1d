package import StenoCore

/// A FastConformer model in any file format.
///
/// Canonical tensor names are those of transformers' Parakeet models, such as `encoder.layers.0.conv.norm.weight`; the
/// convolutions before the layers are `encoder.subsampling.layers.{0, 2, 3, 5, 6}` in Nemotron's models too. A model
/// without biases simply lacks their tensors.
package protocol FastConformerWeights: TensorPackage {
    /// The model's sizes and properties.
    var configuration: FastConformerConfiguration { get }

    /// Reads the model's tokens.
    ///
    /// - Parameter checkCancellation: Called from time to time; an error it throws ends the reading.
    func tokenizer(checkCancellation: () throws -> Void) throws -> FastConformerTokenizer
}

extension FastConformerWeights {
    /// That of all published models.
    package var normEpsilon: Float { 1e-5 }
}
