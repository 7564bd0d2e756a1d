import Foundation

/// A variable of a CTranslate2 file: one or more of OpenAI's tensors, stacked.
struct StoredTensor {
    let dimensions: [Int]
    let parts: [Part]

    enum Part {
        case tensor(String, [Int])
        /// The bias that key projections lack.
        case zeros(Int)

        func values(_ model: RandomModel) -> [Float] {
            switch self {
            case .tensor(let name, let dimensions): model.tensor(name, dimensions: dimensions)
            case .zeros(let count): [Float](repeating: 0, count: count)
            }
        }
    }
}

extension RandomModel {
    /// The attributes of CTranslate2's WhisperSpec: 8-bit flags and 16-bit numbers.
    func storedScalars() -> [String: Data] {
        let heads = le(Int16(shape.heads))
        let flags: [String: Int8] = [
            "activation": 3, "alibi": 0, "alibi_use_positive_positions": 0, "pre_norm": 1, "scale_alibi": 0,
            "scale_embeddings": 0, "start_from_zero_embedding": 0,
        ]
        var all = Dictionary(uniqueKeysWithValues: flags.map { ("decoder/" + $0, le($1)) })
        all["decoder/alignment_heads"] = le(Int16(1))
        all["decoder/alignment_layer"] = le(Int16(-1))
        all["decoder/num_heads"] = heads
        all["encoder/num_heads"] = heads
        return all
    }

    /// Every variable with values, by its name in CTranslate2.
    func storedTensors() -> [String: StoredTensor] {
        let known = dimensions
        var all: [String: StoredTensor] = [:]
        for (scope, modules) in scopes() {
            for kind in ["weight", "bias"] {
                let parts = modules.map { module -> StoredTensor.Part in
                    let name = "\(module).\(kind)"
                    return known[name].map { .tensor(name, $0) } ?? .zeros(shape.width)
                }
                let first = known["\(modules[0]).\(kind)"] ?? [shape.width]
                let leaf = scope.hasSuffix("layer_norm") ? (kind == "weight" ? "gamma" : "beta") : kind
                all["\(scope)/\(leaf)"] = StoredTensor(
                    dimensions: [first[0] * modules.count] + first.dropFirst(), parts: parts)
            }
        }
        for (name, tensor) in [
            "encoder/position_encodings/encodings": "encoder.positional_embedding",
            "decoder/position_encodings/encodings": "decoder.positional_embedding",
            "decoder/embeddings/weight": "decoder.token_embedding.weight",
        ] {
            let dimensions = known[tensor] ?? []
            all[name] = StoredTensor(dimensions: dimensions, parts: [.tensor(tensor, dimensions)])
        }
        return all
    }

    /// CTranslate2's scopes, and OpenAI's modules in each of them.
    private func scopes() -> [String: [String]] {
        var all = [
            "encoder/conv1": ["encoder.conv1"], "encoder/conv2": ["encoder.conv2"],
            "encoder/layer_norm": ["encoder.ln_post"], "decoder/layer_norm": ["decoder.ln"],
        ]
        for (side, layers) in [("encoder", shape.encoderLayers), ("decoder", shape.decoderLayers)] {
            for layer in 0..<layers {
                let (scope, module) = ("\(side)/layer_\(layer)/", "\(side).blocks.\(layer).")
                all[scope + "self_attention/layer_norm"] = [module + "attn_ln"]
                all[scope + "self_attention/linear_0"] = ["query", "key", "value"].map { "\(module)attn.\($0)" }
                all[scope + "self_attention/linear_1"] = [module + "attn.out"]
                all[scope + "ffn/layer_norm"] = [module + "mlp_ln"]
                all[scope + "ffn/linear_0"] = [module + "mlp.0"]
                all[scope + "ffn/linear_1"] = [module + "mlp.2"]
                guard side == "decoder" else { continue }
                all[scope + "attention/layer_norm"] = [module + "cross_attn_ln"]
                all[scope + "attention/linear_0"] = [module + "cross_attn.query"]
                all[scope + "attention/linear_1"] = ["key", "value"].map { "\(module)cross_attn.\($0)" }
                all[scope + "attention/linear_2"] = [module + "cross_attn.out"]
            }
        }
        return all
    }
}
