/// How transcribe.cpp's files name the tensors that transformers' Parakeet models have.
enum TranscribeCppNames {
    /// The starts of names outside of the layers.
    private static let modules: [(canonical: String, stored: String)] = [
        ("encoder.subsampling.layers.", "enc.pre_encode.conv."), ("encoder.subsampling.linear.", "enc.pre_encode.out."),
        ("ctc_head.", "head.ctc."), ("decoder.embedding.", "pred.embed."),
        ("decoder.decoder_projector.", "joint.pred."), ("encoder_projector.", "joint.enc."),
        ("joint.head.", "joint.out."), ("prompt_projector.linear_1.", "prompt.mlp.0."),
        ("prompt_projector.linear_2.", "prompt.mlp.2."),
    ]

    /// The starts of names within a layer that differ.
    private static let parts: [(canonical: String, stored: String)] = [
        ("norm_feed_forward", "norm_ff"), ("feed_forward", "ff"), ("norm_self_att.", "norm_attn."),
        ("self_attn.q_proj.", "attn.linear_q."), ("self_attn.k_proj.", "attn.linear_k."),
        ("self_attn.v_proj.", "attn.linear_v."), ("self_attn.o_proj.", "attn.linear_out."),
        ("self_attn.relative_k_proj.", "attn.linear_pos."), ("self_attn.bias_", "attn.pos_bias_"),
        ("conv.pointwise_conv", "conv.pointwise"), ("conv.depthwise_conv.", "conv.depthwise."),
        ("conv.norm.", "conv.bn."),
    ]

    /// The tensors of an LSTM layer, whose number follows.
    private static let recurrent: [(canonical: String, stored: String)] = [
        ("decoder.lstm.weight_ih_l", "Wx"), ("decoder.lstm.weight_hh_l", "Wh"), ("decoder.lstm.bias_ih_l", "bias"),
    ]

    private static let layers = "encoder.layers."

    /// The name in the file; nil if the file has no such tensor.
    static func stored(_ name: String) -> String? {
        if let part = recurrent.first(where: { name.hasPrefix($0.canonical) }) {
            return "pred.lstm.\(name.dropFirst(part.canonical.count)).\(part.stored)"
        }
        if name.hasPrefix(layers) {
            let (number, rest) = split(name.dropFirst(layers.count))
            return "enc.blocks.\(number).\(replaced(rest, parts) ?? String(rest))"
        }
        return replaced(name[...], modules)
    }

    /// A name before and after its first dot.
    private static func split(_ name: Substring) -> (Substring, Substring) {
        let dot = name.firstIndex(of: ".") ?? name.endIndex
        return (name[..<dot], name[dot...].dropFirst())
    }

    private static func replaced(_ name: Substring, _ starts: [(canonical: String, stored: String)]) -> String? {
        starts.first { name.hasPrefix($0.canonical) }.map { $0.stored + name.dropFirst($0.canonical.count) }
    }
}
