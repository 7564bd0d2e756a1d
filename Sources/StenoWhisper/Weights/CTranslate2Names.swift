/// Where CTranslate2's WhisperSpec stores the tensors of OpenAI's checkpoints.
///
/// The query, key and value projections of an attention are one matrix, in that order of rows; in cross-attention the
/// query is a separate matrix.
enum CTranslate2Names {
    /// A variable's name, and which of its equal parts is meant; nil is the whole.
    typealias Place = (variable: String, part: (index: Int, of: Int)?)

    private static let whole: [String: String] = [
        "encoder.conv1.weight": "encoder/conv1/weight",
        "encoder.conv1.bias": "encoder/conv1/bias",
        "encoder.conv2.weight": "encoder/conv2/weight",
        "encoder.conv2.bias": "encoder/conv2/bias",
        "encoder.positional_embedding": "encoder/position_encodings/encodings",
        "encoder.ln_post.weight": "encoder/layer_norm/gamma",
        "encoder.ln_post.bias": "encoder/layer_norm/beta",
        "decoder.token_embedding.weight": "decoder/embeddings/weight",
        "decoder.positional_embedding": "decoder/position_encodings/encodings",
        "decoder.ln.weight": "decoder/layer_norm/gamma",
        "decoder.ln.bias": "decoder/layer_norm/beta",
    ]

    /// Where a block's tensor is stored: `attn.query.weight` is the first third of `self_attention/linear_0/weight`.
    private static let inBlock: [String: Place] = [
        "attn_ln": ("self_attention/layer_norm", nil),
        "attn.query": ("self_attention/linear_0", (0, 3)),
        "attn.key": ("self_attention/linear_0", (1, 3)),
        "attn.value": ("self_attention/linear_0", (2, 3)),
        "attn.out": ("self_attention/linear_1", nil),
        "cross_attn_ln": ("attention/layer_norm", nil),
        "cross_attn.query": ("attention/linear_0", nil),
        "cross_attn.key": ("attention/linear_1", (0, 2)),
        "cross_attn.value": ("attention/linear_1", (1, 2)),
        "cross_attn.out": ("attention/linear_2", nil),
        "mlp_ln": ("ffn/layer_norm", nil),
        "mlp.0": ("ffn/linear_0", nil),
        "mlp.2": ("ffn/linear_1", nil),
    ]

    /// The place of the tensor with OpenAI's name; nil if no Whisper model has it.
    static func place(of name: String) -> Place? {
        if let variable = whole[name] { return (variable: variable, part: nil) }
        guard let tensor = BlockTensor(name), let place = inBlock[tensor.module] else { return nil }
        let isNorm = tensor.module.hasSuffix("ln")
        let kind = tensor.isWeight ? (isNorm ? "gamma" : "weight") : (isNorm ? "beta" : "bias")
        return (variable: "\(tensor.side)/layer_\(tensor.layer)/\(place.variable)/\(kind)", part: place.part)
    }
}

/// The parts of a name such as `encoder.blocks.0.attn.query.weight`.
struct BlockTensor {
    /// `encoder` or `decoder`.
    var side: Substring
    var layer: Substring
    /// The module in the block, such as `attn.query`.
    var module: String
    /// Whether it is the module's weight, not its bias.
    var isWeight: Bool

    /// Splits a name; nil if it is not the name of a block's tensor.
    init?(_ name: String) {
        let parts = name.split(separator: ".")
        guard parts.count >= 5, parts[1] == "blocks", ["weight", "bias"].contains(parts[parts.count - 1]) else {
            return nil
        }
        side = parts[0]
        layer = parts[2]
        module = parts[3..<(parts.count - 1)].joined(separator: ".")
        isWeight = parts[parts.count - 1] == "weight"
    }
}
