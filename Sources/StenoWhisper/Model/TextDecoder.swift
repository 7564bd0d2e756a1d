import StenoCompute
import StenoCore

/// Whisper's decoder: tokens in, logits of the next token out, with self-attention over the text and cross-attention
/// over the encoded audio.
struct TextDecoder: Sendable {
    private let shape: ModelShape
    private let embedding: PackedMatrix
    /// The positional embedding: [textContext, width].
    private let positions: FloatBuffer
    private let blocks: [Block]
    private let norm: LayerNorm

    private struct Block {
        let attentionNorm: LayerNorm
        let queryKeyValue: Linear
        let attentionOut: Linear
        let crossNorm: LayerNorm
        let crossQuery: Linear
        let crossKeyValue: Linear
        let crossOut: Linear
        let feedForwardNorm: LayerNorm
        let feedForwardIn: Linear
        let feedForwardOut: Linear
    }

    init(_ loader: WeightLoader, shape: ModelShape) throws {
        let width = shape.width
        self.shape = shape
        embedding = try loader.embedding("decoder.token_embedding.weight", outputs: shape.vocabularySize, inputs: width)
        positions = try loader.table("decoder.positional_embedding", rows: shape.textContext, width: width)
        norm = try loader.norm("decoder.ln", width: width)
        blocks = try (0..<shape.decoderLayers).map { layer in
            let block = "decoder.blocks.\(layer)."
            return Block(
                attentionNorm: try loader.norm(block + "attn_ln", width: width),
                queryKeyValue: try loader.linear(
                    ["query", "key", "value"].map { block + "attn." + $0 }, outputs: width, inputs: width),
                attentionOut: try loader.linear([block + "attn.out"], outputs: width, inputs: width),
                crossNorm: try loader.norm(block + "cross_attn_ln", width: width),
                crossQuery: try loader.linear([block + "cross_attn.query"], outputs: width, inputs: width),
                crossKeyValue: try loader.linear(
                    ["key", "value"].map { block + "cross_attn." + $0 }, outputs: width, inputs: width),
                crossOut: try loader.linear([block + "cross_attn.out"], outputs: width, inputs: width),
                feedForwardNorm: try loader.norm(block + "mlp_ln", width: width),
                feedForwardIn: try loader.linear([block + "mlp.0"], outputs: 4 * width, inputs: width),
                feedForwardOut: try loader.linear([block + "mlp.2"], outputs: width, inputs: 4 * width))
        }
    }

    /// Computes the cross-attention KV cache of an encoded window for every layer, once for all tokens, beams and
    /// temperatures.
    func fillCrossAttentionCache(
        _ window: CrossAttentionCache, from encoded: EncoderState, positions count: Int, state: DecoderState
    ) {
        let width = shape.width
        let projected = state.crossProjection
        for (block, memory) in zip(blocks, window.layers) {
            block.crossKeyValue.apply(
                Rows(encoded.output, stride: width), rows: count, into: Rows(projected.pointer, stride: 2 * width),
                in: state.context)
            memory.set(
                keys: projected.pointer, values: projected.pointer + width, stride: 2 * width, positions: count,
                in: state.context)
        }
    }

    /// Runs the batch's rows through all layers and adds them to the self-attention KV cache; their logits can be
    /// computed afterwards.
    ///
    /// - Parameter observer: Observes each layer's cross-attention; the batch must then be one text in one window.
    func forward(_ batch: DecoderBatch, state: DecoderState, observer: AlignmentMatrix? = nil) {
        let width = shape.width, count = batch.count
        precondition(count <= state.rowCapacity)
        let x = Rows(state.x.pointer, stride: width)
        let y = Rows(state.y.pointer, stride: width)
        let projected = Rows(state.wide.pointer, stride: 3 * width)
        let hidden = Rows(state.wide.pointer, stride: 4 * width)
        let context = state.context
        embed(batch, into: x)

        for (layer, block) in blocks.enumerated() {
            block.attentionNorm.apply(x, rows: count, into: y, in: context)
            block.queryKeyValue.apply(y, rows: count, into: projected, in: context)
            state.cache.store(projected.dropColumns(width), count: count, slots: batch.ownSlots, layer: layer)
            state.cache.attend(projected, batch.lookup, layer: layer, into: y, in: context)
            block.attentionOut.apply(y, rows: count, into: x, adding: x, in: context)

            block.crossNorm.apply(x, rows: count, into: y, in: context)
            block.crossQuery.apply(y, rows: count, into: projected, in: context)
            batch.attendWindows(projected, layer: layer, into: y, in: context)
            if let observer, let window = batch.groups.first?.window {
                observer.observe(
                    layer: layer, heads: shape.decoderHeads, queries: projected, memory: window.layers[layer])
            }
            block.crossOut.apply(y, rows: count, into: x, adding: x, in: context)

            block.feedForwardNorm.apply(x, rows: count, into: y, in: context)
            block.feedForwardIn.apply(y, rows: count, into: hidden, activation: .gelu, in: context)
            block.feedForwardOut.apply(hidden, rows: count, into: x, adding: x, in: context)
        }
    }

    /// Computes the logits of `count` of the last batch's rows, from row `first`: `state.logits`, [count, stride].
    func logits(first: Int, count: Int, state: DecoderState) { logits([first..<first + count], state: state) }

    /// Computes the logits of some of the last batch's rows, contiguously: `state.logits`, [rows, stride].
    func logits(_ rows: [Range<Int>], state: DecoderState) {
        let x = Rows(state.x.pointer, stride: shape.width)
        let y = Rows(state.y.pointer, stride: shape.width)
        var count = 0
        for range in rows {
            norm.apply(x.from(range.lowerBound), rows: range.count, into: y.from(count), in: state.context)
            count += range.count
        }
        precondition(count <= state.logitRows)
        Linear(matrix: embedding, bias: nil).apply(
            y, rows: count, into: Rows(state.logits.pointer, stride: state.logitStride), in: state.context)
    }

    private func embed(_ batch: DecoderBatch, into x: Rows) {
        for row in 0..<batch.count {
            let values = x.from(row).pointer
            embedding.copyRow(Int(batch.tokens[row]), to: values)
            let position = positions.pointer + Int(batch.positions[row]) * shape.width
            for channel in 0..<shape.width { values[channel] += position[channel] }
        }
    }

    /// Reserves the workspace of the largest products: those over `rows` rows, and the cross-attention projection of a
    /// window.
    func reserve(_ context: ComputeContext, rows: Int) throws {
        try context.reserve(Linear(matrix: embedding), rows: rows)
        guard let block = blocks.first else { return }
        for linear in [block.queryKeyValue, block.feedForwardIn, block.feedForwardOut] {
            try context.reserve(linear, rows: rows)
        }
        try context.reserve(block.crossKeyValue, rows: shape.audioContext)
    }
}
