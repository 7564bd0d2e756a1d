import StenoCore

/// The tensors of a Whisper model under OpenAI's names.
enum WhisperTensors {
    /// All tensors of a model of that shape with their dimensions.
    static func all(of shape: ModelShape) -> [(name: String, shape: [Int])] {
        let width = shape.width
        let whole: [(String, [Int])] = [
            ("encoder.conv1.weight", [width, shape.melCount, 3]), ("encoder.conv1.bias", [width]),
            ("encoder.conv2.weight", [width, width, 3]), ("encoder.conv2.bias", [width]),
            ("encoder.positional_embedding", [shape.audioContext, width]),
            ("encoder.ln_post.weight", [width]), ("encoder.ln_post.bias", [width]),
            ("decoder.token_embedding.weight", [shape.vocabularySize, width]),
            ("decoder.positional_embedding", [shape.textContext, width]),
            ("decoder.ln.weight", [width]), ("decoder.ln.bias", [width]),
        ]
        let encoder = (0..<shape.encoderLayers).flatMap { block("encoder.blocks.\($0).", ["attn"], width) }
        let decoder = (0..<shape.decoderLayers).flatMap {
            block("decoder.blocks.\($0).", ["attn", "cross_attn"], width)
        }
        return whole + encoder + decoder
    }

    private static func block(_ prefix: String, _ attentions: [String], _ width: Int) -> [(String, [Int])] {
        var tensors: [(String, [Int])] = [
            ("mlp_ln.weight", [width]), ("mlp_ln.bias", [width]),
            ("mlp.0.weight", [4 * width, width]), ("mlp.0.bias", [4 * width]),
            ("mlp.2.weight", [width, 4 * width]), ("mlp.2.bias", [width]),
        ]
        for attention in attentions {
            tensors += [("\(attention)_ln.weight", [width]), ("\(attention)_ln.bias", [width])]
            for module in ["query", "key", "value", "out"] {
                tensors += [
                    ("\(attention).\(module).weight", [width, width]), ("\(attention).\(module).bias", [width]),
                ]
            }
        }
        return tensors.map { (prefix + $0.0, $0.1) }
    }
}
