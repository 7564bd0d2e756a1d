import Foundation
import StenoCompute
import StenoCore

/// A Whisper model's folder as transformers saves it: `model.safetensors` or its parts, `config.json`,
/// `generation_config.json`, and a vocabulary in `tokenizer.json` or `vocab.json`.
///
/// The output projection is the token embedding, whatever the files say about `proj_out`; key projections have no bias.
struct HuggingFacePackage: WhisperFiles {
    let source: ModelSource
    let configuration: WhisperConfiguration
    let namesSpecialTokens = true
    private let folder: URL
    private let weights: SafetensorsFolder

    /// - Throws: `modelNotFound` if a file is missing; `modelDamaged`; `modelUnsupported` if it is not a Whisper model,
    ///   naming the architecture that was found.
    init(folder: URL) throws {
        self.folder = folder
        let config = try ModelJSON.require(ConfigFile.self, at: folder.appendingPathComponent("config.json"))
        try config.check(folder)
        configuration = try Self.configuration(config, folder)
        weights = try SafetensorsFolder(folder: folder)
        source = weights.source(folder, try Self.tensor("decoder.token_embedding.weight", in: weights))
    }

    func vocabulary(checkCancellation: () throws -> Void) throws -> Vocabulary {
        try Vocabulary.load(folder: folder, checkCancellation: checkCancellation)
    }

    func tensor(_ name: String) throws -> WeightTensor? { try Self.tensor(name, in: weights) }

    /// The tensor in a model with a language head, or else in a bare `WhisperModel`.
    private static func tensor(_ name: String, in weights: SafetensorsFolder) throws -> WeightTensor? {
        guard let stored = HuggingFaceNames.name(of: name) else { return nil }
        if let tensor = try weights.tensor("model." + stored) ?? weights.tensor(stored) { return tensor }
        // A file may have only the other one of two tied tensors.
        return name == "decoder.token_embedding.weight" ? try weights.tensor("proj_out.weight") : nil
    }
}

// MARK: The configuration

extension HuggingFacePackage {
    private static func configuration(_ config: ConfigFile, _ folder: URL) throws -> WhisperConfiguration {
        var configuration = WhisperConfiguration()
        configuration.encoderHeads = config.encoder_attention_heads
        configuration.decoderHeads = config.decoder_attention_heads
        configuration.melCount = try PreprocessorFile.melCount(in: folder) ?? config.num_mel_bins
        // Models saved by older versions of transformers have no such file; their configuration has the lists.
        let generation = try ModelJSON.read(GenerationFile.self, "generation_config.json", in: folder)
        let suppressed = generation == nil ? config.suppress_tokens : generation?.suppress_tokens
        let atBegin = generation == nil ? config.begin_suppress_tokens : generation?.begin_suppress_tokens
        configuration.suppressedTokens = suppressed ?? []
        configuration.suppressedAtBegin = atBegin ?? []
        configuration.alignmentHeads = generation?.alignment_heads.map { pairs in
            pairs.compactMap { $0.count == 2 ? AlignmentHead(layer: $0[0], head: $0[1]) : nil }
        }
        return configuration
    }

    private struct GenerationFile: Decodable {
        var suppress_tokens: [Int]?
        var begin_suppress_tokens: [Int]?
        var alignment_heads: [[Int]]?
    }

    private struct ConfigFile: Decodable {
        var model_type: String?
        var architectures: [String]?
        var encoder_attention_heads: Int?
        var decoder_attention_heads: Int?
        var num_mel_bins: Int?
        var activation_function: String?
        var scale_embedding: Bool?
        var suppress_tokens: [Int]?
        var begin_suppress_tokens: [Int]?

        /// Throws unless it is a Whisper model in the form that OpenAI published.
        func check(_ folder: URL) throws {
            guard model_type == "whisper" else {
                let found = architectures?.first ?? model_type ?? "an unknown architecture"
                throw StenoError(
                    .modelUnsupported,
                    "\(folder.path) holds another kind of model (\(found.prefix(80))), not a Whisper model. Choose a "
                        + "Whisper model.")
            }
            try ensure(
                activation_function ?? "gelu" == "gelu" && scale_embedding != true, or: .modelUnsupported,
                "\(folder.path) holds a Whisper model with another activation function or scaled embeddings, which "
                    + "is not supported. Choose another Whisper model.")
        }
    }
}

/// How transformers' `WhisperForConditionalGeneration` names the tensors of OpenAI's checkpoints.
enum HuggingFaceNames {
    private static let whole: [String: String] = [
        "encoder.conv1": "encoder.conv1", "encoder.conv2": "encoder.conv2", "encoder.ln_post": "encoder.layer_norm",
        "decoder.token_embedding": "decoder.embed_tokens", "decoder.ln": "decoder.layer_norm",
    ]

    private static let positions: [String: String] = [
        "encoder.positional_embedding": "encoder.embed_positions.weight",
        "decoder.positional_embedding": "decoder.embed_positions.weight",
    ]

    private static let inBlock: [String: String] = [
        "attn_ln": "self_attn_layer_norm", "attn.query": "self_attn.q_proj", "attn.key": "self_attn.k_proj",
        "attn.value": "self_attn.v_proj", "attn.out": "self_attn.out_proj", "cross_attn_ln": "encoder_attn_layer_norm",
        "cross_attn.query": "encoder_attn.q_proj", "cross_attn.key": "encoder_attn.k_proj",
        "cross_attn.value": "encoder_attn.v_proj", "cross_attn.out": "encoder_attn.out_proj",
        "mlp_ln": "final_layer_norm", "mlp.0": "fc1", "mlp.2": "fc2",
    ]

    /// The name in a `WhisperModel`, without the prefix `model.`; nil if no Whisper model has the tensor.
    static func name(of tensor: String) -> String? {
        if let name = positions[tensor] { return name }
        let kind = tensor.split(separator: ".").last.map(String.init) ?? ""
        if let module = whole[String(tensor.dropLast(kind.count + 1))] { return "\(module).\(kind)" }
        guard let block = BlockTensor(tensor), let module = inBlock[block.module] else { return nil }
        return "\(block.side).layers.\(block.layer).\(module).\(kind)"
    }
}
