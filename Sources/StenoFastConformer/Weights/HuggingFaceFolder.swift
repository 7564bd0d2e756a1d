import Foundation
import StenoCore

/// A FastConformer model's folder as transformers saves it: `model.safetensors` or its parts, `config.json` and
/// `tokenizer.json`, for streaming models `processor_config.json`, and for ternary models `ternary.json`.
///
/// The voice activity detector of Parakeet Redux (`vad_head.*`), which cuts long audio, is not read: ``WindowPlanner``
/// cuts at pauses in the samples.
struct HuggingFaceFolder: FastConformerWeights {
    let source: ModelSource
    let configuration: FastConformerConfiguration
    private let folder: URL
    private let weights: SafetensorsFolder
    private let ternary: TernaryManifest?

    /// Opens a folder.
    ///
    /// - Throws: ``StenoError``: `modelNotFound` if a file is missing; `modelDamaged`; `modelUnsupported` if it is not a
    ///   FastConformer model, naming the architecture that was found.
    init(folder: URL) throws {
        self.folder = folder
        configuration = try FastConformerConfiguration(folder: folder)
        weights = try SafetensorsFolder(folder: folder)
        ternary = try TernaryManifest(folder: folder)
        let stored = try Self.tensor(Self.largest, weights, ternary)?.format ?? .float32
        let format = "Hugging Face safetensors" + (weights.fileCount > 1 ? ", \(weights.fileCount) files" : "")
        source = ModelSource(
            path: folder.path, format: format, storedPrecision: stored.name, byteCount: weights.byteCount)
        for (name, module) in ternary?.modules ?? [:] where module.hasBias && !weights.contains(name + ".bias") {
            throw StenoError(
                .modelDamaged,
                "\(folder.path) lacks the tensor \(name.prefix(80)).bias, which ternary.json lists. Download the model "
                    + "again.")
        }
    }

    /// One of the largest matrices, whose format is that of the model.
    private static let largest = "encoder.layers.0.feed_forward1.linear1.weight"

    func tokenizer(checkCancellation: () throws -> Void) throws -> FastConformerTokenizer {
        try checkCancellation()
        return try FastConformerTokenizer(tokenizerJSON: folder.appendingPathComponent("tokenizer.json"))
    }

    func tensor(_ name: String) throws -> WeightTensor? {
        if let tensor = try Self.tensor(name, weights, ternary) { return tensor }
        return try Self.nemotronName(name).flatMap { try weights.tensor($0) }
    }

    private static func tensor(
        _ name: String, _ weights: SafetensorsFolder, _ ternary: TernaryManifest?
    ) throws -> WeightTensor? {
        let suffix = ".weight"
        guard name.hasSuffix(suffix), !weights.contains(name) else { return try weights.tensor(name) }
        let module = String(name.dropLast(suffix.count))
        if let known = ternary?.modules[module] {
            return try weights.ternaryTensor(module, name: name, shape: known.shape)
        }
        guard !weights.contains(module + ".qweight") else {
            throw StenoError(
                .modelDamaged,
                "The model's tensor \(module).qweight is ternary, but there is no ternary.json that lists it. Download the "
                    + "model again, with all of its files.")
        }
        return nil
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
