import StenoCore

/// Moonshine's encoder: samples in, encoder positions (24 ms) out, with attention over the whole utterance.
struct MoonshineEncoder: Sendable {
    private let configuration: MoonshineConfiguration
    private let frontEnd: AudioFrontEnd
    private let layers: [Layer]
    private let norm: LayerNorm

    private struct Layer {
        let attentionNorm: LayerNorm
        let queryKeyValue: Linear
        let attentionOut: Linear
        let feedForwardNorm: LayerNorm
        let feedForwardIn: Linear
        let feedForwardOut: Linear
    }

    init(_ loader: WeightLoader, _ configuration: MoonshineConfiguration) throws {
        let width = configuration.width, hidden = configuration.hiddenWidth, heads = configuration.encoderHeads
        self.configuration = configuration
        frontEnd = try AudioFrontEnd(loader, width: width)
        layers = try (0..<configuration.encoderLayers).map { layer in
            let module = "encoder.layers.\(layer)."
            return Layer(
                attentionNorm: try loader.norm(module + "input_layernorm", width: width, hasBias: false),
                queryKeyValue: try loader.projections(
                    ["q_proj", "k_proj", "v_proj"].map { module + "self_attn." + $0 }, heads, inputs: width),
                attentionOut: try loader.attentionOut(module + "self_attn.o_proj", heads, outputs: width),
                feedForwardNorm: try loader.norm(module + "post_attention_layernorm", width: width, hasBias: false),
                feedForwardIn: try loader.linear([module + "mlp.fc1"], outputs: hidden, inputs: width),
                feedForwardOut: try loader.linear([module + "mlp.fc2"], outputs: width, inputs: hidden))
        }
        norm = try loader.norm("encoder.layer_norm", width: width, hasBias: false)
    }

    /// Encodes samples; the result, [positions, width], is in `memory.output`.
    ///
    /// - Parameters:
    ///   - lengths: Those of the samples, within the memory's capacity.
    ///   - checkCancellation: Called before each layer; an error it throws ends the work.
    func forward(
        _ samples: UnsafePointer<Float>, _ lengths: AudioFrontEnd.Lengths, memory: EncoderMemory,
        in context: ComputeContext, checkCancellation: () throws -> Void
    ) rethrows {
        let count = lengths.positions, width = configuration.width, heads = configuration.encoderHeads
        let channels = heads.channels, padded = heads.paddedChannels
        let x = Rows(memory.x.pointer, stride: width)
        let y = Rows(memory.y.pointer, stride: width)
        let attended = Rows(memory.y.pointer, stride: padded)
        let projected = Rows(memory.wide.pointer, stride: 3 * channels)
        let separated = Rows(memory.wide.pointer + count * 3 * channels, stride: 3 * padded)
        let hidden = Rows(memory.wide.pointer, stride: configuration.hiddenWidth)

        try checkCancellation()
        frontEnd.apply(samples, lengths, scratch: memory.wide.pointer, into: x, in: context)
        for layer in layers {
            try checkCancellation()
            layer.attentionNorm.apply(x, rows: count, into: y, in: context)
            layer.queryKeyValue.apply(y, rows: count, into: projected, in: context)
            heads.pad(projected, rows: count, groups: 2, rotated: memory.angles, into: separated, in: context)
            heads.pad(
                projected.dropColumns(2 * channels), rows: count, into: separated.dropColumns(2 * padded), in: context)
            memory.attention.set(
                keys: separated.pointer + padded, values: separated.pointer + 2 * padded, stride: 3 * padded,
                positions: count, in: context)
            memory.attention.attend(separated, rows: count, into: attended, in: context)
            layer.attentionOut.apply(attended, rows: count, into: x, adding: x, in: context)

            layer.feedForwardNorm.apply(x, rows: count, into: y, in: context)
            layer.feedForwardIn.apply(y, rows: count, into: hidden, activation: .gelu, in: context)
            layer.feedForwardOut.apply(hidden, rows: count, into: x, adding: x, in: context)
        }
        norm.apply(x, rows: count, into: y, in: context)
    }

    /// Reserves the workspace of the largest product.
    fileprivate func reserve(_ context: ComputeContext, _ lengths: AudioFrontEnd.Lengths) throws {
        try frontEnd.reserve(context, lengths)
        guard let layer = layers.first else { return }
        for linear in [layer.queryKeyValue, layer.attentionOut, layer.feedForwardIn, layer.feedForwardOut] {
            try context.reserve(linear, rows: lengths.positions)
        }
    }
}

/// The memory that an encoding writes to, for utterances up to a length.
final class EncoderMemory {
    /// The maximum number of positions.
    let capacity: Int
    /// The residual stream: [positions, width].
    fileprivate let x: ScratchBuffer
    /// Normalised rows [positions, width], or attention's results [positions, padded channels].
    fileprivate let y: ScratchBuffer
    /// Used in turn for the convolutions, for queries, keys and values, as projected and then with padded heads, and for
    /// the hidden layer.
    let wide: ScratchBuffer
    fileprivate let attention: AttentionMemory
    fileprivate let angles: RotaryAngles

    init(_ model: MoonshineModel, capacity: Int, context: ComputeContext) throws {
        let configuration = model.configuration, heads = configuration.encoderHeads, width = configuration.width
        let lengths = AudioFrontEnd.Lengths(positions: capacity)
        self.capacity = capacity
        x = try ScratchBuffer(count: capacity * width)
        y = try ScratchBuffer(count: capacity * max(width, heads.paddedChannels))
        let projections = 3 * (heads.channels + heads.paddedChannels)
        let crossProjections = 2 * (configuration.decoderHeads.channels + configuration.decoderHeads.paddedChannels)
        wide = try ScratchBuffer(
            count: max(
                AudioFrontEnd.scratchCount(lengths, width: width),
                capacity * max(projections, crossProjections, configuration.hiddenWidth)))
        attention = try AttentionMemory(
            heads: heads.count, headWidth: heads.paddedWidth, capacity: capacity, precision: model.precision,
            scale: heads.scale)
        angles = RotaryAngles(channels: configuration.rotatedChannels, base: configuration.rotaryBase)
        try angles.reserve(capacity)
        try model.encoder.reserve(context, lengths)
    }

    /// The result of the last encoding: [positions, width].
    var output: UnsafeMutablePointer<Float> { y.pointer }
}

extension WeightLoader {
    /// Projections to attention heads, below each other, without biases.
    func projections(_ modules: [String], _ heads: AttentionHeads, inputs: Int) throws -> Linear {
        Linear(
            matrix: try matrix(modules.map { $0 + ".weight" }, shape: [heads.channels, inputs], inputs: inputs))
    }

    /// The projection of attention's results, which have padded heads.
    func attentionOut(_ module: String, _ heads: AttentionHeads, outputs: Int) throws -> Linear {
        Linear(
            matrix: try matrix(
                [module + ".weight"], shape: [outputs, heads.channels], inputs: heads.paddedChannels,
                arrange: heads.padColumns))
    }
}
