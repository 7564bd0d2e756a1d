internal import Foundation
import StenoCompute
import StenoCore

/// `config.json` of a `MoonshineStreamingForConditionalGeneration`, as transformers writes it.
///
/// Values that a file leaves out are those of transformers' `MoonshineStreamingConfig`, which are tiny's; only the numbers
/// of layers must be there.
struct StreamingConfigFile: Decodable {
    var encoder_config: Encoder?
    var hidden_size: Int?
    var intermediate_size: Int?
    var num_hidden_layers: Int?
    var num_attention_heads: Int?
    var num_key_value_heads: Int?
    var head_dim: Int?
    var hidden_act: String?
    var vocab_size: Int?
    var max_position_embeddings: Int?
    var decoder_start_token_id: Int?
    var bos_token_id: Int?
    var eos_token_id: TokenFile?
    var attention_bias: Bool?
    var tie_word_embeddings: Bool?
    var partial_rotary_factor: Double?
    var rope_theta: Double?
    var rope_parameters: RotaryFile?

    struct Encoder: Decodable {
        var hidden_size: Int?
        var intermediate_size: Int?
        var num_hidden_layers: Int?
        var num_attention_heads: Int?
        var num_key_value_heads: Int?
        var head_dim: Int?
        var hidden_act: String?
        var attention_bias: Bool?
        var sample_rate: Int?
        var frame_ms: Double?
        var sliding_windows: [[Int]]?
    }

    /// The configuration, whose values are those of a model that can be computed.
    ///
    /// - Throws: `modelUnsupported`; `modelDamaged` without the numbers of layers.
    func configuration(of folder: String, reading: WindowReading) throws -> StreamingConfiguration {
        let check = ConfigCheck(folder: folder)
        let width = try check.width(encoder_config?.hidden_size ?? 320), decoder = try check.width(hidden_size ?? 320)
        try check.activations(
            encoder: encoder_config?.hidden_act, decoder: hidden_act,
            attentionBias: attention_bias == true || encoder_config?.attention_bias == true)
        try check.sharedKeys(num_key_value_heads, heads: num_attention_heads ?? 8)
        try check.sharedKeys(encoder_config?.num_key_value_heads, heads: encoder_config?.num_attention_heads ?? 8)
        guard encoder_config?.sample_rate ?? 16000 == 16000, encoder_config?.frame_ms ?? 5 == 5 else {
            throw check.unsupported("frames other than 5 ms at 16 kHz")
        }
        let rotary = try check.rotary(
            rope_parameters, factor: partial_rotary_factor, base: rope_theta, usualFactor: 0.8)
        let decoderHeads = try heads(check, num_attention_heads ?? 8, head_dim, width: decoder)
        let start = decoder_start_token_id ?? bos_token_id ?? 1, end = eos_token_id?.id ?? 2
        let positions = max_position_embeddings ?? 4096
        return StreamingConfiguration(
            width: width, hiddenWidth: try check.width(encoder_config?.intermediate_size ?? 1280),
            heads: try heads(
                check, encoder_config?.num_attention_heads ?? 8, encoder_config?.head_dim, width: width),
            windows: try windows(check, reading),
            audioContext: try check.within(positions, 8...1_000_000, "\(positions) audio positions"),
            decoder: DecoderShape(
                width: decoder, hiddenWidth: try check.width(intermediate_size ?? 1280),
                layers: try check.layers(num_hidden_layers, "num_hidden_layers"), heads: decoderHeads,
                rotatedChannels: try check.rotated(decoderHeads, rotary.factor), rotaryBase: rotary.base,
                vocabularySize: try check.vocabulary(vocab_size ?? 32768, start: start, end: end),
                textContext: try check.context(positions), startToken: start, endToken: end,
                tiesEmbedding: tie_word_embeddings ?? false))
    }

    private func heads(_ check: ConfigCheck, _ count: Int, _ headWidth: Int?, width: Int) throws -> AttentionHeads {
        if let headWidth { return try check.heads(count, headWidth: headWidth) }
        return try check.heads(count, width: width)
    }

    /// The windows of all layers.
    private func windows(_ check: ConfigCheck, _ reading: WindowReading) throws -> [AttentionWindow] {
        let layers = try check.layers(encoder_config?.num_hidden_layers, "encoder_config.num_hidden_layers")
        let stored = encoder_config?.sliding_windows ?? [[16, 4], [16, 4], [16, 0], [16, 0], [16, 4], [16, 4]]
        guard stored.count == layers, stored.allSatisfy({ $0.count == 2 && (1...200).contains($0[0]) }),
            stored.allSatisfy({ (0...200).contains($0[1]) })
        else { throw check.unsupported("attention windows \("\(stored)".prefix(200)) for \(layers) layers") }
        let isInclusive =
            switch reading {
            case .asTrained: stored.allSatisfy { $0[0] == 16 }
            case .exclusive: false
            case .inclusive: true
            }
        return stored.map {
            isInclusive
                ? AttentionWindow(past: $0[0], future: $0[1])
                : AttentionWindow(past: $0[0] - 1, future: max($0[1] - 1, 0))
        }
    }
}
