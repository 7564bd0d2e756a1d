import StenoCompute
import StenoCore

/// Moonshine's decoder: tokens in, logits of the next token out, with self-attention over the text and cross-attention
/// over the encoded audio.
///
/// All generations of the family have the same.
struct MoonshineDecoder: Sendable {
    let shape: DecoderShape
    private let embedding: PackedMatrix
    private let layers: [Layer]
    private let norm: LayerNorm
    private let head: Linear

    private struct Layer {
        let attentionNorm: LayerNorm
        let queryKeyValue: Linear
        let attentionOut: Linear
        let crossNorm: LayerNorm
        let crossQuery: Linear
        let crossKeyValue: Linear
        let crossOut: Linear
        let feedForwardNorm: LayerNorm
        /// Values, then gates.
        let feedForwardIn: Linear
        let feedForwardOut: Linear
    }

    init(_ loader: WeightLoader, _ shape: DecoderShape) throws {
        let width = shape.width, heads = shape.heads
        self.shape = shape
        embedding = try loader.embedding("decoder.embed_tokens.weight", outputs: shape.vocabularySize, inputs: width)
        head = Linear(
            matrix: shape.tiesEmbedding
                ? embedding : try loader.embedding("proj_out.weight", outputs: shape.vocabularySize, inputs: width))
        layers = try (0..<shape.layers).map { layer in
            let module = "decoder.layers.\(layer)."
            func projections(_ names: [String]) throws -> Linear {
                try loader.projections(names.map { module + $0 + "_proj" }, heads, inputs: width)
            }
            return Layer(
                attentionNorm: try loader.norm(module + "input_layernorm", width: width, hasBias: false),
                queryKeyValue: try projections(["self_attn.q", "self_attn.k", "self_attn.v"]),
                attentionOut: try loader.attentionOut(module + "self_attn.o_proj", heads, outputs: width),
                crossNorm: try loader.norm(module + "post_attention_layernorm", width: width, hasBias: false),
                crossQuery: try projections(["encoder_attn.q"]),
                crossKeyValue: try projections(["encoder_attn.k", "encoder_attn.v"]),
                crossOut: try loader.attentionOut(module + "encoder_attn.o_proj", heads, outputs: width),
                feedForwardNorm: try loader.norm(module + "final_layernorm", width: width, hasBias: false),
                feedForwardIn: try loader.linear([module + "mlp.fc1"], outputs: 2 * shape.hiddenWidth, inputs: width),
                feedForwardOut: try loader.linear([module + "mlp.fc2"], outputs: width, inputs: shape.hiddenWidth))
        }
        norm = try loader.norm("decoder.norm", width: width, hasBias: false)
    }

    /// Computes the cross-attention's keys and values of encoded audio for every layer, once for all tokens.
    ///
    /// - Parameters:
    ///   - frames: The encoder's output, [positions, width].
    ///   - scratch: Room for twice the decoder's channels and twice its padded channels, for each position.
    func prepare(
        _ frames: Rows, positions count: Int, scratch: UnsafeMutablePointer<Float>, audio: CrossMemory,
        in context: ComputeContext, checkCancellation: () throws -> Void
    ) rethrows {
        let padded = shape.heads.paddedChannels
        let separated = Rows(scratch + count * 2 * shape.heads.channels, stride: 2 * padded)
        for (layer, memory) in audio.layers.enumerated() {
            try checkCancellation()
            keysAndValues(frames, rows: count, layer: layer, scratch: scratch, into: separated, in: context)
            memory.set(
                keys: separated.pointer, values: separated.pointer + padded, stride: 2 * padded, positions: count,
                in: context)
        }
    }

    /// Computes one layer's cross-attention keys and values, with padded heads, next to each other.
    ///
    /// - Parameter scratch: Room for twice the decoder's channels, for each row.
    func keysAndValues(
        _ frames: Rows, rows: Int, layer: Int, scratch: UnsafeMutablePointer<Float>, into out: Rows,
        in context: ComputeContext
    ) {
        let projected = Rows(scratch, stride: 2 * shape.heads.channels)
        layers[layer].crossKeyValue.apply(frames, rows: rows, into: projected, in: context)
        shape.heads.pad(projected, rows: rows, groups: 2, into: out, in: context)
    }

    /// Runs tokens at consecutive positions through all layers and adds them to the self-attention KV cache; their logits
    /// can be computed afterwards.
    ///
    /// What the cache has after the last of them is not used again.
    ///
    /// - Parameter weights: Receives the tokens' cross-attention weights.
    func forward(
        _ tokens: ArraySlice<Int>, from position: Int, text: TextMemory, audio: CrossMemory,
        weights: CrossAttentionWeights? = nil, in context: ComputeContext
    ) {
        let count = tokens.count, width = shape.width, heads = shape.heads
        let channels = heads.channels, padded = heads.paddedChannels
        precondition(position + count <= shape.textContext, "the text fits the model's context")
        let x = Rows(text.x.pointer, stride: width)
        let y = Rows(text.y.pointer, stride: width)
        let attended = Rows(text.y.pointer, stride: padded)
        let projected = Rows(text.wide.pointer, stride: 3 * channels)
        let separated = Rows(text.wide.pointer + count * 3 * channels, stride: 3 * padded)
        let hidden = Rows(text.wide.pointer, stride: 2 * shape.hiddenWidth)
        for (row, token) in tokens.enumerated() { embedding.copyRow(token, to: x.from(row).pointer) }

        for (index, layer) in layers.enumerated() {
            layer.attentionNorm.apply(x, rows: count, into: y, in: context)
            layer.queryKeyValue.apply(y, rows: count, into: projected, in: context)
            heads.pad(
                projected, rows: count, groups: 2, rotated: text.angles, from: position, into: separated, in: context)
            heads.pad(
                projected.dropColumns(2 * channels), rows: count, into: separated.dropColumns(2 * padded), in: context)
            text.attend(separated, rows: count, from: position, layer: index, into: attended, in: context)
            layer.attentionOut.apply(attended, rows: count, into: x, adding: x, in: context)

            layer.crossNorm.apply(x, rows: count, into: y, in: context)
            layer.crossQuery.apply(y, rows: count, into: projected, in: context)
            heads.pad(projected, rows: count, into: separated, in: context)
            audio.layers[index].attend(separated, rows: count, into: attended, in: context)
            weights?.record(audio.layers[index], queries: separated, rows: count, layer: index)
            layer.crossOut.apply(attended, rows: count, into: x, adding: x, in: context)

            layer.feedForwardNorm.apply(x, rows: count, into: y, in: context)
            layer.feedForwardIn.apply(y, rows: count, into: hidden, in: context)
            GatedUnit.silu(hidden, rows: count, width: shape.hiddenWidth, in: context)
            layer.feedForwardOut.apply(hidden, rows: count, into: x, adding: x, in: context)
        }
    }

    /// Computes the logits of some of the last rows: `text.logits`, [rows, stride].
    func logits(_ rows: Range<Int>, text: TextMemory, in context: ComputeContext) {
        precondition(rows.count <= TextMemory.logitRows, "so many rows of logits have room")
        let y = Rows(text.y.pointer, stride: shape.width)
        norm.apply(
            Rows(text.x.pointer, stride: shape.width).from(rows.lowerBound), rows: rows.count, into: y, in: context)
        head.apply(y, rows: rows.count, into: Rows(text.logits.pointer, stride: text.logitStride), in: context)
    }

    /// Reserves the workspace of the largest products over the rows of a text.
    func reserve(_ context: ComputeContext) throws {
        try context.reserve(head, rows: TextMemory.logitRows)
        guard let layer = layers.first else { return }
        for linear in [layer.queryKeyValue, layer.attentionOut, layer.feedForwardIn, layer.feedForwardOut] {
            try context.reserve(linear, rows: shape.textContext)
        }
    }

    /// Reserves the workspace of the products over encoded audio.
    func reserve(_ context: ComputeContext, positions: Int) throws {
        guard let layer = layers.first else { return }
        try context.reserve(layer.crossKeyValue, rows: positions)
    }
}
