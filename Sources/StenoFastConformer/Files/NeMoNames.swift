/// How NeMo names the tensors that transformers' Parakeet models have.
enum NeMoNames {
    /// The names of modules outside of the layers, by the start of transformers' name.
    private static let modules: [(canonical: String, stored: [String])] = [
        ("encoder.subsampling.layers.", ["encoder.pre_encode.conv."]),
        ("encoder.subsampling.linear.", ["encoder.pre_encode.out."]),
        // A hybrid model has another decoder under the plain name.
        ("ctc_head.", ["ctc_decoder.decoder_layers.0.", "decoder.decoder_layers.0."]),
        ("decoder.embedding.", ["decoder.prediction.embed."]),
        ("decoder.lstm.", ["decoder.prediction.dec_rnn.lstm."]),
        ("decoder.decoder_projector.", ["joint.pred."]),
        ("encoder_projector.", ["joint.enc."]),
        // The place after the activation, and after a dropout if the model was trained with one.
        ("joint.head.", ["joint.joint_net.2.", "joint.joint_net.1."]),
        ("prompt_projector.linear_1.", ["prompt_kernel.0."]),
        ("prompt_projector.linear_2.", ["prompt_kernel.2."]),
    ]

    /// The names of parts of a layer that differ.
    private static let parts: [(canonical: String, stored: String)] = [
        ("self_attn.q_proj.", "self_attn.linear_q."), ("self_attn.k_proj.", "self_attn.linear_k."),
        ("self_attn.v_proj.", "self_attn.linear_v."), ("self_attn.o_proj.", "self_attn.linear_out."),
        ("self_attn.relative_k_proj.", "self_attn.linear_pos."), ("self_attn.bias_u", "self_attn.pos_bias_u"),
        ("self_attn.bias_v", "self_attn.pos_bias_v"), ("conv.norm.", "conv.batch_norm."),
    ]

    /// The names under which NeMo may have the tensor, the most likely first.
    static func stored(_ name: String) -> [String] {
        if let layer = Self.layer(name) {
            let part = parts.first { layer.rest.hasPrefix($0.canonical) }
            return [part.map { layer.start + $0.stored + layer.rest.dropFirst($0.canonical.count) } ?? name]
        }
        guard let module = modules.first(where: { name.hasPrefix($0.canonical) }) else { return [name] }
        return module.stored.map { $0 + name.dropFirst(module.canonical.count) }
    }

    /// A tensor's name split after the number of its layer; nil if it is in none.
    private static func layer(_ name: String) -> (start: String, rest: Substring)? {
        let prefix = "encoder.layers."
        guard name.hasPrefix(prefix), let dot = name.dropFirst(prefix.count).firstIndex(of: ".") else { return nil }
        return (String(name[...dot]), name[name.index(after: dot)...])
    }
}
