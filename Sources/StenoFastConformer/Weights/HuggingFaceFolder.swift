import Foundation
import StenoCompute
import StenoCore

/// A FastConformer model's folder as transformers saves it: `model.safetensors` or its parts, `config.json` and
/// `tokenizer.json`, and for streaming models `processor_config.json`.
///
/// Canonical tensor names are those of transformers' Parakeet models, such as `encoder.layers.0.conv.norm.weight`; the
/// convolutions before the layers are `encoder.subsampling.layers.{0, 2, 3, 5, 6}` in Nemotron's models too. A model
/// without biases simply lacks their tensors.
struct HuggingFaceFolder: TensorPackage {
    let source: ModelSource
    let configuration: FastConformerConfiguration
    /// That of all published models.
    let normEpsilon: Float = 1e-5
    private let folder: URL
    private let weights: SafetensorsFolder

    /// - Throws: `modelNotFound`; `modelDamaged`; `modelUnsupported`, which names the architecture.
    init(folder: URL) throws {
        self.folder = folder
        configuration = try FastConformerConfiguration(folder: folder)
        weights = try SafetensorsFolder(folder: folder)
        var layers = ["encoder.layers.": configuration.layers]
        if let count = configuration.transducer?.predictorLayers {
            for kind in ["weight_ih", "weight_hh"] { layers["decoder.lstm.\(kind)_l"] = count }
        }
        try weights.check(layers: layers)
        source = weights.source(folder, try weights.tensor("encoder.layers.0.feed_forward1.linear1.weight"))
    }

    func tokenizer() throws -> FastConformerTokenizer {
        try FastConformerTokenizer(tokenizerJSON: folder.appendingPathComponent("tokenizer.json"))
    }

    func tensor(_ name: String) throws -> WeightTensor? {
        if let tensor = try weights.tensor(name) { return tensor }
        return try Self.nemotronName(name).flatMap { try weights.tensor($0) }
    }

    private static let prefix = "encoder.subsampling.layers."

    /// Nemotron's names of the convolutions before the layers.
    private static let nemotronModules = [
        "0": "conv_in", "2": "layers.0.depthwise_conv", "3": "layers.0.pointwise_conv",
        "5": "layers.1.depthwise_conv", "6": "layers.1.pointwise_conv",
    ]

    private static func nemotronName(_ name: String) -> String? {
        guard name.hasPrefix(prefix) else { return nil }
        let parts = name.dropFirst(prefix.count).split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let module = nemotronModules[parts[0]] else { return nil }
        return "encoder.subsampling.\(module).\(parts[1])"
    }
}

extension WeightLoader {
    /// The affine map of one module, whose weight has the shape [outputs, inputs, 1 …]; a missing bias is zeros.
    ///
    /// - Parameter scale: The results are multiplied by this: exactly, if it is a power of two.
    func affine(_ module: String, shape: [Int], scale: Float = 1) throws -> Linear {
        let inputs = shape.dropFirst().reduce(1, *)
        let matrix = try matrix([module + ".weight"], shape: shape, inputs: inputs) { row, to in
            for column in 0..<inputs { to[column] = scale * row[column] }
        }
        let bias = try valuesOrZeros(module + ".bias", shape: [shape[0]])
        return Linear(matrix: matrix, bias: scale == 1 ? bias : try FloatBuffer(bias.array.map { scale * $0 }))
    }

    /// A depthwise convolution's weights [channels, 1, taps …] as [taps, channels], each channel scaled.
    func taps(_ name: String, shape: [Int], scale: [Float]? = nil) throws -> FloatBuffer {
        let stored = try required(name, shape: shape).array
        let channels = shape[0], taps = shape.dropFirst().reduce(1, *)
        return try FloatBuffer(count: channels * taps) { values in
            for channel in 0..<channels {
                for tap in 0..<taps {
                    values[tap * channels + channel] = stored[channel * taps + tap] * (scale?[channel] ?? 1)
                }
            }
        }
    }

    /// All values of a tensor that must be there.
    func required(_ name: String, shape: [Int]) throws -> FloatBuffer {
        // Tables need a row and a column; the shape itself is checked here.
        return try unwrap(
            valuesIfPresent(name, shape: shape), or: .modelDamaged,
            "The model has no tensor \(name). Check that the model is complete and of this family.")
    }
}
