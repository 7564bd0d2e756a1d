import StenoCompute
import StenoCore

/// A layer of the encoder: two half-weighted feed-forward modules around attention and a convolution, each added to its
/// input, and a norm of the result.
///
/// Gulati et al. 2020, "Conformer: Convolution-augmented Transformer for Speech Recognition".
struct EncoderLayer: Sendable {
    private let feedForward1: FeedForwardModule
    private let attentionNorm: LayerNorm
    private let query: Linear
    private let keyValue: Linear
    private let attention: RelativeAttention
    private let attentionOut: Linear
    private let convolution: ConvolutionModule
    private let feedForward2: FeedForwardModule
    private let outNorm: LayerNorm

    init(_ loader: WeightLoader, _ configuration: FastConformerConfiguration, layer: Int) throws {
        let name = "encoder.layers.\(layer).", width = configuration.width
        let heads = [configuration.heads, configuration.headWidth]
        feedForward1 = try FeedForwardModule(
            loader, name + "feed_forward1", norm: name + "norm_feed_forward1", configuration)
        attentionNorm = try loader.norm(name + "norm_self_att", width: width)
        query = try loader.linear([name + "self_attn.q_proj"], outputs: width, inputs: width)
        keyValue = try loader.linear(
            ["k_proj", "v_proj"].map { name + "self_attn." + $0 }, outputs: width, inputs: width)
        attention = RelativeAttention(
            contentBias: try loader.required(name + "self_attn.bias_u", shape: heads),
            positionBias: try loader.required(name + "self_attn.bias_v", shape: heads))
        attentionOut = try loader.linear([name + "self_attn.o_proj"], outputs: width, inputs: width)
        convolution = try ConvolutionModule(loader, name, configuration)
        feedForward2 = try FeedForwardModule(
            loader, name + "feed_forward2", norm: name + "norm_feed_forward2", configuration)
        outNorm = try loader.norm(name + "norm_out", width: width)
    }

    /// Computes the layer for the rows of `scratch.x`, in place.
    ///
    /// - Parameters:
    ///   - span: The rows that can be attended to.
    ///   - convolved: Rows before this pass for the convolution, which are replaced by those before the next pass; nil
    ///     if the pass is a whole utterance.
    func forward(
        rows: Int, scratch: EncoderScratch, span: AttentionSpan, convolved: ScratchBuffer?
    ) {
        let x = scratch.x, y = scratch.y, context = scratch.context
        feedForward1.apply(rows: rows, scratch: scratch)

        attentionNorm.apply(x, rows: rows, into: y, in: context)
        Linear.apply(
            [.init(query, into: scratch.query), .init(keyValue, into: span.keyValues.from(span.queryPosition))],
            to: y, rows: rows, in: context)
        let width = query.matrix.outputs
        scratch.memory.set(
            keys: span.keyValues.pointer, values: span.keyValues.pointer + width, stride: span.keyValues.stride,
            positions: span.queryPosition + rows, in: context)
        attention.attend(
            RelativeAttention.Queries(
                rows: scratch.query, count: rows, position: span.queryPosition, ranges: span.ranges),
            to: scratch.memory, encodings: span.encodings, into: y, in: context)
        attentionOut.apply(y, rows: rows, into: x, adding: x, in: context)

        convolution.apply(rows: rows, scratch: scratch, convolved: convolved)
        feedForward2.apply(rows: rows, scratch: scratch)
        outNorm.apply(x, rows: rows, into: x, in: context)
    }

    func reserve(_ context: ComputeContext, rows: Int) throws {
        for linear in [query, keyValue, attentionOut] { try context.reserve(linear, rows: rows) }
        try feedForward1.reserve(context, rows: min(rows, EncoderScratch.blockRows))
        try convolution.reserve(context, rows: min(rows, EncoderScratch.blockRows))
    }
}

/// What the queries of a pass attend to.
struct AttentionSpan {
    /// Keys and values, [queryPosition + rows, 2 · width]: those of the pass are written from `queryPosition` on.
    var keyValues: Rows
    var queryPosition: Int
    /// The rows of each query; nil if all queries attend to all rows.
    var ranges: (first: UnsafePointer<Int32>, end: UnsafePointer<Int32>)?
    /// The layer's encodings of distances.
    var encodings: RelativeAttention.Encodings
}

/// x += ½ · W₂ SiLU(W₁ norm(x)).
struct FeedForwardModule: Sendable {
    private let norm: LayerNorm
    private let inner: Linear
    /// Halved, exactly, when it is loaded.
    private let outer: Linear

    init(
        _ loader: WeightLoader, _ name: String, norm: String, _ configuration: FastConformerConfiguration
    ) throws {
        let width = configuration.width, hidden = configuration.feedForwardWidth
        self.norm = try loader.norm(norm, width: width)
        inner = try loader.affine(name + ".linear1", shape: [hidden, width])
        outer = try loader.affine(name + ".linear2", shape: [width, hidden], scale: 0.5)
    }

    func apply(rows: Int, scratch: EncoderScratch) {
        let hidden = Rows(scratch.wide.pointer, stride: inner.matrix.outputs), context = scratch.context
        for block in EncoderScratch.blocks(of: rows) {
            let x = scratch.x.from(block.lowerBound), y = scratch.y
            norm.apply(x, rows: block.count, into: y, in: context)
            inner.apply(y, rows: block.count, into: hidden, activation: .silu, in: context)
            outer.apply(hidden, rows: block.count, into: x, adding: x, in: context)
        }
    }

    func reserve(_ context: ComputeContext, rows: Int) throws {
        try context.reserve(inner, rows: rows)
        try context.reserve(outer, rows: rows)
    }
}

/// The memory that the layers write to, for passes of up to `capacity` rows.
final class EncoderScratch {
    /// Rows whose hidden values exist at a time.
    static let blockRows = 384

    let context: ComputeContext
    let capacity: Int
    /// The residual stream: [capacity, width].
    let x: Rows
    /// Normalised rows and results of attention and convolution: [capacity, width].
    let y: Rows
    /// [capacity, width].
    let query: Rows
    /// Hidden values of a feed-forward module, or pairs for gates: [blockRows, …].
    let wide: ScratchBuffer
    /// Gated rows, with those before and after them: [kernel − 1 + capacity, width].
    let gated: ScratchBuffer
    let memory: AttentionMemory
    private let buffers: [ScratchBuffer]

    /// - Parameters:
    ///   - capacity: The rows of the longest pass.
    ///   - positions: The most rows that a pass attends to.
    init(
        _ configuration: FastConformerConfiguration, layers: [EncoderLayer], capacity: Int, positions: Int,
        context: ComputeContext
    ) throws {
        let width = configuration.width
        (self.context, self.capacity) = (context, capacity)
        buffers = try (0..<3).map { _ in try ScratchBuffer(count: capacity * width) }
        x = Rows(buffers[0].pointer, stride: width)
        y = Rows(buffers[1].pointer, stride: width)
        query = Rows(buffers[2].pointer, stride: width)
        wide = try ScratchBuffer(count: min(capacity, Self.blockRows) * max(configuration.feedForwardWidth, 2 * width))
        gated = try ScratchBuffer(count: (configuration.kernelSize - 1 + capacity) * width)
        memory = try AttentionMemory(
            heads: configuration.heads, headWidth: configuration.headWidth, capacity: positions, precision: .float32)
        try layers.first?.reserve(context, rows: capacity)
    }

    static func blocks(of rows: Int) -> [Range<Int>] {
        stride(from: 0, to: rows, by: blockRows).map { $0..<min($0 + blockRows, rows) }
    }
}
