/// How transformers' `WhisperForConditionalGeneration` names the tensors of OpenAI's checkpoints.
enum HuggingFaceNames {
    private static let whole: [String: String] = [
        "encoder.conv1": "encoder.conv1",
        "encoder.conv2": "encoder.conv2",
        "encoder.ln_post": "encoder.layer_norm",
        "decoder.token_embedding": "decoder.embed_tokens",
        "decoder.ln": "decoder.layer_norm",
    ]

    private static let positions: [String: String] = [
        "encoder.positional_embedding": "encoder.embed_positions.weight",
        "decoder.positional_embedding": "decoder.embed_positions.weight",
    ]

    private static let inBlock: [String: String] = [
        "attn_ln": "self_attn_layer_norm",
        "attn.query": "self_attn.q_proj",
        "attn.key": "self_attn.k_proj",
        "attn.value": "self_attn.v_proj",
        "attn.out": "self_attn.out_proj",
        "cross_attn_ln": "encoder_attn_layer_norm",
        "cross_attn.query": "encoder_attn.q_proj",
        "cross_attn.key": "encoder_attn.k_proj",
        "cross_attn.value": "encoder_attn.v_proj",
        "cross_attn.out": "encoder_attn.out_proj",
        "mlp_ln": "final_layer_norm",
        "mlp.0": "fc1",
        "mlp.2": "fc2",
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
