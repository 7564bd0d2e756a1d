import StenoCompute
import StenoCore

/// Moonshine's encoder: samples in, encoder positions (24 ms) out, with attention over the whole utterance.
struct MoonshineEncoder: Sendable {
    private let configuration: MoonshineConfiguration
    private let frontEnd: AudioFrontEnd
    private let layers: [EncoderLayer]
    private let norm: LayerNorm

    init(_ loader: WeightLoader, _ configuration: MoonshineConfiguration) throws {
        let width = configuration.width
        self.configuration = configuration
        frontEnd = try AudioFrontEnd(loader, width: width)
        layers = try (0..<configuration.layers).map { layer in
            try EncoderLayer(
                loader, layer, width: width, hiddenWidth: configuration.hiddenWidth, heads: configuration.heads
            ) { try loader.norm($0, width: width, hasBias: false) }
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
        let count = lengths.positions, width = configuration.width, heads = configuration.heads
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
            layer.feedForward(x, rows: count, y: y, hidden: hidden, in: context)
        }
        norm.apply(x, rows: count, into: y, in: context)
    }

    fileprivate func reserve(_ context: ComputeContext, _ lengths: AudioFrontEnd.Lengths) throws {
        try frontEnd.reserve(context, lengths)
        try layers.first?.reserve(context, rows: lengths.positions)
    }
}

/// The memory that an encoding writes to, for utterances up to a length.
final class EncoderMemory {
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
        let configuration = model.configuration, heads = configuration.heads, width = configuration.width
        let lengths = AudioFrontEnd.Lengths(positions: capacity)
        self.capacity = capacity
        x = try ScratchBuffer(count: capacity * width)
        y = try ScratchBuffer(count: capacity * max(width, heads.paddedChannels))
        let projections = 3 * (heads.channels + heads.paddedChannels)
        let crossHeads = configuration.decoder.heads
        let crossProjections = 2 * (crossHeads.channels + crossHeads.paddedChannels)
        wide = try ScratchBuffer(
            count: max(
                AudioFrontEnd.scratchCount(lengths, width: width),
                capacity * max(projections, crossProjections, configuration.hiddenWidth)))
        attention = try AttentionMemory(
            heads: heads.count, headWidth: heads.paddedWidth, capacity: capacity, precision: model.precision,
            scale: heads.scale)
        angles = RotaryAngles(dimension: configuration.rotatedChannels, base: configuration.decoder.rotaryBase)
        try angles.reserve(capacity)
        try model.encoder.reserve(context, lengths)
    }

    /// The result of the last encoding: [positions, width].
    var output: UnsafeMutablePointer<Float> { y.pointer }
}
