package import Foundation

/// A safetensors file of tensors in their order, and the range of its header.
package func safetensorsFile(
    _ tensors: [(name: String, shape: [Int], values: Data)], kind: String = "F32"
) -> (bytes: Data, header: Range<Int>) {
    var entries = [#""__metadata__": {"format": "pt"}"#], values = Data()
    for (name, shape, data) in tensors {
        let offsets = [values.count, values.count + data.count]
        entries.append(#""\#(name)": {"dtype": "\#(kind)", "shape": \#(shape), "data_offsets": \#(offsets)}"#)
        values += data
    }
    var header = Data("{\(entries.joined(separator: ", "))}".utf8)
    header += Data(repeating: 0x20, count: (8 - header.count % 8) % 8)
    return (le(UInt64(header.count)) + header + values, 0..<8 + header.count)
}

/// A Whisper model as transformers saves it: safetensors, `config.json`, `generation_config.json`.
package struct HuggingFaceModelFiles: Sendable {
    /// The tensors by OpenAI's names.
    package var tensors: [GGMLModelFile.Tensor]
    /// How they are stored: float32, float16 or bfloat16.
    package var precision: StoredPrecision

    /// Creates the files of a model with OpenAI's tensor names.
    package init(_ tensors: [GGMLModelFile.Tensor], precision: StoredPrecision = .float32) {
        self.tensors = tensors
        self.precision = precision
    }

    /// Parts of OpenAI's names, and what transformers has in their place, in the order of replacement.
    private static let names = [
        ("blocks.", "layers."), ("encoder.positional_embedding", "encoder.embed_positions.weight"),
        ("decoder.positional_embedding", "decoder.embed_positions.weight"),
        ("token_embedding", "embed_tokens"), ("cross_attn_ln", "encoder_attn_layer_norm"),
        ("cross_attn.", "encoder_attn."), (".attn_ln", ".self_attn_layer_norm"), (".attn.", ".self_attn."),
        ("mlp_ln", "final_layer_norm"), ("mlp.0", "fc1"), ("mlp.2", "fc2"), (".query", ".q_proj"), (".key", ".k_proj"),
        (".value", ".v_proj"), (".out.", ".out_proj."), ("ln_post", "layer_norm"), ("decoder.ln", "decoder.layer_norm"),
    ]

    package static func name(of tensor: String) -> String {
        "model." + names.reduce(tensor) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }

    /// A safetensors file of some tensors, and the range of its header.
    package func safetensors(_ tensors: [GGMLModelFile.Tensor]) -> (bytes: Data, header: Range<Int>) {
        let kind = [StoredPrecision.float32: "F32", .float16: "F16", .bfloat16: "BF16"][precision] ?? ""
        return safetensorsFile(tensors.map { (Self.name(of: $0.name), $0.shape, stored($0.values)) }, kind: kind)
    }

    private func stored(_ values: [Float]) -> Data {
        switch precision {
        case .float16: values.map(float16Bits).withUnsafeBytes { Data($0) }
        case .bfloat16: values.map(bfloat16Bits).withUnsafeBytes { Data($0) }
        case .float32, .int8: values.withUnsafeBytes { Data($0) }
        }
    }

    /// Writes the weights to a folder, in one file or in several with an index.
    package func writeWeights(to folder: URL, parts: Int = 1) throws {
        guard parts > 1 else {
            return try safetensors(tensors).bytes.write(to: folder.appendingPathComponent("model.safetensors"))
        }
        var map: [String: String] = [:]
        for part in 0..<parts {
            let own = tensors.indices.filter { $0 % parts == part }.map { tensors[$0] }
            let file = String(format: "model-%05d-of-%05d.safetensors", part + 1, parts)
            try safetensors(own).bytes.write(to: folder.appendingPathComponent(file))
            for tensor in own { map[Self.name(of: tensor.name)] = file }
        }
        let index: [String: Any] = ["metadata": ["total_size": 0], "weight_map": map]
        try writeJSON(index, to: folder, as: "model.safetensors.index")
    }

    /// Writes the configuration of a model with that many heads.
    package func writeConfiguration(
        to folder: URL, heads: Int, config: [String: Any] = [:], generation: [String: Any]? = nil
    ) throws {
        let mels = tensors.first { $0.name == "encoder.conv1.weight" }?.shape[1] ?? 80
        let usual: [String: Any] = [
            "model_type": "whisper", "architectures": ["WhisperForConditionalGeneration"], "num_mel_bins": mels,
            "encoder_attention_heads": heads, "decoder_attention_heads": heads, "activation_function": "gelu",
        ]
        try writeJSON(usual.merging(config) { $1 }, to: folder, as: "config")
        if let generation { try writeJSON(generation, to: folder, as: "generation_config") }
    }

    /// Writes the vocabulary as `tokenizer.json`, or as the older `vocab.json` with `added_tokens.json`.
    package static func writeVocabulary(_ vocabulary: [String], to folder: URL, isOld: Bool = false) throws {
        var text: [String: Int] = [:]
        var added: [[String: Any]] = []
        for (id, token) in vocabulary.enumerated() {
            if token.hasPrefix("<|") { added.append(["id": id, "content": token]) } else { text[token] = id }
        }
        let special = Dictionary(
            uniqueKeysWithValues: added.map { ($0["content"] as? String ?? "", $0["id"] as? Int ?? 0) })
        guard isOld else {
            let tokenizer: [String: Any] = ["model": ["vocab": text], "added_tokens": added]
            return try writeJSON(tokenizer, to: folder, as: "tokenizer")
        }
        try writeJSON(text, to: folder, as: "vocab")
        try writeJSON(special, to: folder, as: "added_tokens")
    }
}

extension SmallModel {
    /// Calls `body` with a Hugging Face folder of the small model, and removes it afterwards.
    package static func withHuggingFace<Result>(
        _ precision: StoredPrecision = .float32, parts: Int = 1, _ body: (URL) throws -> Result
    ) throws -> Result {
        try withFolder { folder in
            let files = HuggingFaceModelFiles(model.tensors, precision: precision)
            try files.writeWeights(to: folder, parts: parts)
            try files.writeConfiguration(to: folder, heads: shape.heads, generation: ["suppress_tokens": [1, 2]])
            try HuggingFaceModelFiles.writeVocabulary(vocabulary, to: folder)
            return try body(folder)
        }
    }
}
