internal import Foundation
import StenoCompute
import StenoCore

/// `config.json` of a `MoonshineForConditionalGeneration`, as transformers writes it.
///
/// Values that a file leaves out are those of transformers' `MoonshineConfig`, which are tiny's; only the numbers of layers
/// must be there, because a model with too few of them invents text.
struct MoonshineConfigFile: Decodable {
    var hidden_size: Int?
    var intermediate_size: Int?
    var encoder_num_hidden_layers: Int?
    var decoder_num_hidden_layers: Int?
    var encoder_num_attention_heads: Int?
    var decoder_num_attention_heads: Int?
    var encoder_num_key_value_heads: Int?
    var decoder_num_key_value_heads: Int?
    var encoder_hidden_act: String?
    var decoder_hidden_act: String?
    var vocab_size: Int?
    var max_position_embeddings: Int?
    var decoder_start_token_id: Int?
    var eos_token_id: TokenFile?
    var attention_bias: Bool?
    var tie_word_embeddings: Bool?
    // Older versions of transformers have these at the top.
    var partial_rotary_factor: Double?
    var rope_theta: Double?
    var rope_parameters: RotaryFile?

    /// The configuration, whose values are those of a model that can be computed.
    ///
    /// - Throws: `modelUnsupported`; `modelDamaged` without the numbers of layers.
    func configuration(of folder: String) throws -> MoonshineConfiguration {
        let check = ConfigCheck(folder: folder)
        let width = try check.width(hidden_size ?? 288)
        let encoder = encoder_num_attention_heads ?? 8, decoder = decoder_num_attention_heads ?? 8
        try check.sharedKeys(encoder_num_key_value_heads, heads: encoder)
        try check.sharedKeys(decoder_num_key_value_heads, heads: decoder)
        try check.activations(encoder: encoder_hidden_act, decoder: decoder_hidden_act, attentionBias: attention_bias)
        let rotary = try check.rotary(
            rope_parameters, factor: partial_rotary_factor, base: rope_theta, usualFactor: 0.9)
        let heads = try check.heads(encoder, width: width), decoderHeads = try check.heads(decoder, width: width)
        let hidden = try check.width(intermediate_size ?? 1152)
        let start = decoder_start_token_id ?? 1, end = eos_token_id?.id ?? 2
        return MoonshineConfiguration(
            width: width, hiddenWidth: hidden,
            layers: try check.layers(encoder_num_hidden_layers, "encoder_num_hidden_layers"),
            heads: heads,
            rotatedChannels: try check.rotated(heads, rotary.factor),
            decoder: DecoderShape(
                width: width, hiddenWidth: hidden,
                layers: try check.layers(decoder_num_hidden_layers, "decoder_num_hidden_layers"), heads: decoderHeads,
                rotatedChannels: try check.rotated(decoderHeads, rotary.factor), rotaryBase: rotary.base,
                vocabularySize: try check.vocabulary(vocab_size ?? 32768, start: start, end: end),
                textContext: try check.context(max_position_embeddings ?? 512), startToken: start, endToken: end,
                tiesEmbedding: tie_word_embeddings ?? true))
    }
}

/// The rotary position embeddings in a configuration.
struct RotaryFile: Decodable {
    var rope_type: String?
    var rope_theta: Double?
    var partial_rotary_factor: Double?
}

/// The token that ends a text: its id, or a list of ids, of which the first counts.
struct TokenFile: Decodable {
    var id: Int?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        id = try (try? container.decode(Int.self)) ?? container.decode([Int].self).first
    }
}

/// Rejects values that no Moonshine model has, so that later code can rely on plausible ones.
struct ConfigCheck {
    /// The model's folder, for the messages.
    let folder: String

    func width(_ width: Int) throws -> Int { try within(width, 1...16_384, "\(width) channels") }

    /// - Parameter name: The number's name in the file.
    func layers(_ layers: Int?, _ name: String) throws -> Int {
        guard let layers else {
            throw StenoError(
                .modelDamaged, "\(folder)/config.json has no \(name), the number of layers. Download the model again.")
        }
        return try within(layers, 1...128, "\(layers) layers")
    }

    /// The heads of a layer with that many channels.
    func heads(_ count: Int, width: Int) throws -> AttentionHeads {
        guard (1...512).contains(count), width.isMultiple(of: count) else {
            throw unsupported("\(count) attention heads for \(width) channels")
        }
        return try heads(count, headWidth: width / count)
    }

    func heads(_ count: Int, headWidth: Int) throws -> AttentionHeads {
        _ = try within(count, 1...512, "\(count) attention heads")
        return AttentionHeads(
            count: count, width: try within(headWidth, 2...256, "attention heads of \(headWidth) channels"))
    }

    /// The kernels' caches hold 512 tokens, more than any model of the family writes.
    func context(_ positions: Int) throws -> Int {
        min(try within(positions, 8...1_000_000, "a context of \(positions) tokens"), 512)
    }

    func vocabulary(_ size: Int, start: Int, end: Int) throws -> Int {
        _ = try within(size, 8...1_000_000, "\(size) tokens")
        guard (0..<size).contains(start), (0..<size).contains(end) else {
            throw unsupported("the start token \(start) and the end token \(end) in a vocabulary of \(size)")
        }
        return size
    }

    func rotary(
        _ file: RotaryFile?, factor: Double?, base: Double?, usualFactor: Double
    ) throws -> (factor: Double, base: Float) {
        guard file?.rope_type ?? "default" == "default" else {
            throw unsupported("rotary embeddings of the kind \((file?.rope_type ?? "").prefix(40))")
        }
        let factor = file?.partial_rotary_factor ?? factor ?? usualFactor
        let base = file?.rope_theta ?? base ?? 10_000
        guard (0...1).contains(factor), (1...1e9).contains(base) else {
            throw unsupported("rotary embeddings of the factor \(factor) and the base \(base)")
        }
        return (factor, Float(base))
    }

    /// The number of channels of a head that are rotated; in pairs, so that the last one may need a neighbour.
    func rotated(_ heads: AttentionHeads, _ factor: Double) throws -> Int {
        let channels = Int(Double(heads.width) * factor)
        guard channels.isMultiple(of: 2) || channels < heads.width else {
            throw unsupported("\(channels) rotated channels of a head")
        }
        return channels
    }

    func sharedKeys(_ keyValueHeads: Int?, heads: Int) throws {
        guard keyValueHeads ?? heads == heads else { throw unsupported("attention heads that share their keys") }
    }

    func activations(encoder: String?, decoder: String?, attentionBias: Bool?) throws {
        guard encoder ?? "gelu" == "gelu", decoder ?? "silu" == "silu", attentionBias != true else {
            throw unsupported("other activation functions, or biases in its attention")
        }
    }

    func within(_ value: Int, _ range: ClosedRange<Int>, _ found: String) throws -> Int {
        guard range.contains(value) else { throw unsupported(found) }
        return value
    }

    func unsupported(_ found: String) -> StenoError {
        StenoError(
            .modelUnsupported,
            "\(folder) has a Moonshine model with \(found), which is not supported. Choose another model.")
    }
}
