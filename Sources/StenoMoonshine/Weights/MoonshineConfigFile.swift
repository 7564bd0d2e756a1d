import Foundation
import StenoCompute
import StenoCore

/// `config.json` of a Moonshine model of either generation, as transformers writes it.
///
/// Values that a file leaves out are those of transformers' `MoonshineConfig` and `MoonshineStreamingConfig`, which are
/// tiny's; only the numbers of layers must be there, because a model with too few of them invents text.
struct MoonshineConfigFile: Decodable {
    /// Layers of one kind; only a streaming encoder has the last three values.
    struct Layers: Decodable {
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

    var hidden_size: Int?
    var intermediate_size: Int?
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
    // For whole utterances.
    var encoder_num_hidden_layers: Int?
    var decoder_num_hidden_layers: Int?
    var encoder_num_attention_heads: Int?
    var decoder_num_attention_heads: Int?
    var encoder_num_key_value_heads: Int?
    var decoder_num_key_value_heads: Int?
    var encoder_hidden_act: String?
    var decoder_hidden_act: String?
    // Of a streaming model, whose own layers are the decoder's.
    var encoder_config: Layers?
    var num_hidden_layers: Int?
    var num_attention_heads: Int?
    var num_key_value_heads: Int?
    var head_dim: Int?
    var hidden_act: String?
    var bos_token_id: Int?

    /// What both generations have, under different names and with different values to fall back on.
    private struct Parts {
        var encoder: Layers
        var decoder: Layers
        var names: (encoder: String, decoder: String)
        var startToken: Int
        var usual: (width: Int, hiddenWidth: Int, positions: Int, rotaryFactor: Double, tiesEmbedding: Bool)
    }

    private func parts(_ kind: MoonshineFiles.Kind) -> Parts {
        var decoder = Layers(
            hidden_size: hidden_size, intermediate_size: intermediate_size, num_hidden_layers: num_hidden_layers,
            num_attention_heads: num_attention_heads, num_key_value_heads: num_key_value_heads, head_dim: head_dim,
            hidden_act: hidden_act, attention_bias: attention_bias)
        guard kind == .whole else {
            return Parts(
                encoder: encoder_config ?? Layers(), decoder: decoder,
                names: ("encoder_config.num_hidden_layers", "num_hidden_layers"),
                startToken: decoder_start_token_id ?? bos_token_id ?? 1, usual: (320, 1280, 4096, 0.8, false))
        }
        (decoder.head_dim, decoder.hidden_act) = (nil, decoder_hidden_act)
        (decoder.num_hidden_layers, decoder.num_attention_heads) = (
            decoder_num_hidden_layers, decoder_num_attention_heads
        )
        decoder.num_key_value_heads = decoder_num_key_value_heads
        var encoder = decoder
        encoder.hidden_act = encoder_hidden_act
        (encoder.num_hidden_layers, encoder.num_attention_heads) = (
            encoder_num_hidden_layers, encoder_num_attention_heads
        )
        encoder.num_key_value_heads = encoder_num_key_value_heads
        return Parts(
            encoder: encoder, decoder: decoder, names: ("encoder_num_hidden_layers", "decoder_num_hidden_layers"),
            startToken: decoder_start_token_id ?? 1, usual: (288, 1152, 512, 0.9, true))
    }

    /// The configuration, whose values are those of a model that can be computed.
    ///
    /// - Parameter reading: How the windows of a streaming model are counted.
    /// - Throws: `modelUnsupported`; `modelDamaged` without the numbers of layers.
    func configuration(
        of folder: String, _ kind: MoonshineFiles.Kind, reading: WindowReading
    ) throws -> MoonshineConfiguration {
        let check = ConfigCheck(folder: folder)
        let parts = parts(kind), encoder = parts.encoder, decoder = parts.decoder, usual = parts.usual
        try check.activations(
            encoder: encoder.hidden_act, decoder: decoder.hidden_act,
            attentionBias: encoder.attention_bias == true || decoder.attention_bias == true)
        let rotary = try check.rotary(
            rope_parameters, factor: partial_rotary_factor, base: rope_theta, usualFactor: usual.rotaryFactor)
        let width = try check.width(encoder.hidden_size ?? usual.width)
        let decoderWidth = try check.width(decoder.hidden_size ?? usual.width)
        let heads = try check.heads(encoder, width: width)
        let decoderHeads = try check.heads(decoder, width: decoderWidth)
        let layers = try check.layers(encoder.num_hidden_layers, parts.names.encoder)
        let positions = max_position_embeddings ?? usual.positions
        let start = parts.startToken, end = eos_token_id?.id ?? 2
        return MoonshineConfiguration(
            width: width, hiddenWidth: try check.width(encoder.intermediate_size ?? usual.hiddenWidth), layers: layers,
            heads: heads, rotatedChannels: kind == .whole ? try check.rotated(heads, rotary.factor) : 0,
            decoder: DecoderShape(
                width: decoderWidth, hiddenWidth: try check.width(decoder.intermediate_size ?? usual.hiddenWidth),
                layers: try check.layers(decoder.num_hidden_layers, parts.names.decoder), heads: decoderHeads,
                rotatedChannels: try check.rotated(decoderHeads, rotary.factor), rotaryBase: rotary.base,
                vocabularySize: try check.vocabulary(vocab_size ?? 32768, start: start, end: end),
                textContext: try check.context(positions), startToken: start, endToken: end,
                tiesEmbedding: tie_word_embeddings ?? usual.tiesEmbedding),
            streaming: kind == .whole
                ? nil
                : StreamingShape(
                    windows: try check.windows(encoder, layers: layers, reading),
                    audioContext: try check.within(positions, 8...1_000_000, "\(positions) audio positions")))
    }
}

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

    func layers(_ stored: Int?, _ name: String) throws -> Int {
        let layers = try unwrap(
            stored, or: .modelDamaged,
            "\(folder)/config.json has no \(name), the number of layers. Download the model again.")
        return try within(layers, 1...128, "\(layers) layers")
    }

    /// The heads of layers with that many channels.
    func heads(_ layers: MoonshineConfigFile.Layers, width: Int) throws -> AttentionHeads {
        let count = try within(
            layers.num_attention_heads ?? 8, 1...512, "\(layers.num_attention_heads ?? 8) attention heads")
        try ensure(
            layers.num_key_value_heads ?? count == count, or: unsupported("attention heads that share their keys"))
        try ensure(
            layers.head_dim != nil || width.isMultiple(of: count),
            or: unsupported("\(count) attention heads for \(width) channels"))
        let headWidth = layers.head_dim ?? width / count
        return AttentionHeads(
            count: count, width: try within(headWidth, 2...256, "attention heads of \(headWidth) channels"))
    }

    /// The kernels' caches hold 512 tokens, more than any model of the family writes.
    func context(_ positions: Int) throws -> Int {
        min(try within(positions, 8...1_000_000, "a context of \(positions) tokens"), 512)
    }

    func vocabulary(_ size: Int, start: Int, end: Int) throws -> Int {
        _ = try within(size, 8...1_000_000, "\(size) tokens")
        try ensure(
            (0..<size).contains(start) && (0..<size).contains(end),
            or: unsupported("the start token \(start) and the end token \(end) in a vocabulary of \(size)"))
        return size
    }

    func rotary(
        _ file: RotaryFile?, factor: Double?, base: Double?, usualFactor: Double
    ) throws -> (factor: Double, base: Float) {
        try ensure(
            file?.rope_type ?? "default" == "default",
            or: unsupported("rotary embeddings of the kind \((file?.rope_type ?? "").prefix(40))"))
        let factor = file?.partial_rotary_factor ?? factor ?? usualFactor
        let base = file?.rope_theta ?? base ?? 10_000
        try ensure(
            (0...1).contains(factor) && (1...1e9).contains(base),
            or: unsupported("rotary embeddings of the factor \(factor) and the base \(base)"))
        return (factor, Float(base))
    }

    /// The number of channels of a head that are rotated; in pairs, so that the last one may need a neighbour.
    func rotated(_ heads: AttentionHeads, _ factor: Double) throws -> Int {
        let channels = Int(Double(heads.width) * factor)
        try ensure(
            channels.isMultiple(of: 2) || channels < heads.width,
            or: unsupported("\(channels) rotated channels of a head"))
        return channels
    }

    /// What each layer of a streaming encoder sees.
    func windows(
        _ encoder: MoonshineConfigFile.Layers, layers: Int, _ reading: WindowReading
    ) throws -> [AttentionWindow] {
        try ensure(
            (encoder.sample_rate ?? 16000) == 16000 && (encoder.frame_ms ?? 5) == 5,
            or: unsupported("frames other than 5 ms at 16 kHz"))
        let stored = encoder.sliding_windows ?? [[16, 4], [16, 4], [16, 0], [16, 0], [16, 4], [16, 4]]
        guard stored.count == layers, stored.allSatisfy({ $0.count == 2 && (1...200).contains($0[0]) }),
            stored.allSatisfy({ (0...200).contains($0[1]) })
        else { throw unsupported("attention windows \("\(stored)".prefix(200)) for \(layers) layers") }
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

    func activations(encoder: String?, decoder: String?, attentionBias: Bool?) throws {
        try ensure(
            (encoder ?? "gelu") == "gelu" && (decoder ?? "silu") == "silu" && attentionBias != true,
            or: unsupported("other activation functions, or biases in its attention"))
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
