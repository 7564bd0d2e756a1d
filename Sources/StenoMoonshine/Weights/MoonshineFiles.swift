import Foundation
import StenoCompute
import StenoCore

/// A Moonshine model's folder as transformers saves it: `model.safetensors` or its parts, `config.json` and
/// `tokenizer.json`.
///
/// The canonical names are those of transformers' `MoonshineModel`, such as `encoder.layers.0.self_attn.q_proj.weight`.
struct MoonshineFiles: ModelPackage {
    let source: ModelSource
    let normEpsilon: Float = 1e-5
    /// The architecture that `config.json` names.
    let kind: Kind
    let folder: URL
    private let weights: SafetensorsFolder

    /// A generation of the family, by transformers' name for it.
    enum Kind: String {
        /// Whole utterances.
        case whole = "moonshine"
        /// Audio as it is spoken.
        case streaming = "moonshine_streaming"
    }

    /// - Throws: `modelNotFound`; `modelDamaged`; `modelUnsupported`, which names the architecture.
    init(folder: URL) throws {
        self.folder = folder
        let file = try ModelJSON.require(KindFile.self, at: folder.appendingPathComponent("config.json"))
        guard let kind = Kind(rawValue: file.model_type ?? "") else {
            let found = file.architectures?.first ?? file.model_type ?? "an unknown architecture"
            throw StenoError(
                .modelUnsupported,
                "\(folder.path) holds another kind of model (\(found.prefix(80))), not a Moonshine model. Choose a "
                    + "Moonshine model.")
        }
        self.kind = kind
        weights = try SafetensorsFolder(folder: folder)
        source = weights.source(folder, try Self.tensor("decoder.embed_tokens.weight", in: weights))
    }

    /// - Throws: `modelUnsupported`, `modelDamaged`.
    func configuration(windows: WindowReading = .asTrained) throws -> MoonshineConfiguration {
        try ModelJSON.require(MoonshineConfigFile.self, at: folder.appendingPathComponent("config.json"))
            .configuration(of: folder.path, kind, reading: windows)
    }

    var otherGeneration: StenoError {
        let (found, needed) =
            kind == .streaming
            ? ("a streaming Moonshine model", "one for whole utterances")
            : ("a Moonshine model for whole utterances", "a streaming one")
        return StenoError(.modelUnsupported, "\(folder.path) holds \(found), not \(needed). Choose another model.")
    }

    /// Checks that the configuration counts all layers of which there are weights.
    func checkLayers(encoder: Int, decoder: Int) throws {
        for prefix in ["", "model."] {
            try weights.check(layers: [prefix + "encoder.layers.": encoder, prefix + "decoder.layers.": decoder])
        }
    }

    func vocabulary(checkCancellation: () throws -> Void) throws -> Vocabulary {
        try TokenizerFile(folder: folder, checkCancellation: checkCancellation).vocabulary
    }

    func tensor(_ name: String) throws -> WeightTensor? { try Self.tensor(name, in: weights) }

    /// The tensor in a model with a language head, or else in a bare `MoonshineModel`.
    private static func tensor(_ name: String, in weights: SafetensorsFolder) throws -> WeightTensor? {
        if let tensor = try weights.tensor("model." + name) ?? weights.tensor(name) { return tensor }
        // A file may have only the other one of two tied tensors.
        return name == "decoder.embed_tokens.weight" ? try weights.tensor("proj_out.weight") : nil
    }

    private struct KindFile: Decodable {
        var model_type: String?
        var architectures: [String]?
    }
}
