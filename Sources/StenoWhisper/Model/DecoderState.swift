import StenoCore

/// What decoding writes: the cache, and scratch for as many rows as a prompt or the beams can have.
final class DecoderState {
    let cache: KeyValueCache
    let batch: DecoderBatch
    /// The rows a step may have.
    let rowCapacity: Int
    /// The rows whose logits may be asked for at once.
    let logitRows: Int
    /// The floats from one row of logits to the next.
    let logitStride: Int
    /// The logits asked for last: [logitRows, logitStride].
    let logits: ScratchBuffer

    /// [rows, width] each.
    let x: ScratchBuffer
    let y: ScratchBuffer
    /// Queries, keys and values [rows, 3 · width], then the hidden layer [rows, 4 · width].
    let wide: ScratchBuffer
    let context: ComputeContext

    /// Makes room for the windows of `lanes`, each with `hypotheses` rows, and for a prompt as
    /// long as the model's context beside them.
    init(
        shape: ModelShape, decoder: TextDecoder, precision: Precision, hypotheses: Int, lanes: Int = 1,
        context: ComputeContext
    ) throws {
        rowCapacity = shape.textContext + lanes * hypotheses
        // Word probabilities are read several rows at a time: a row alone would fetch all of the vocabulary's weights.
        // A lane that begins asks for two rows.
        logitRows = max(lanes * max(hypotheses, 2), 8)
        logitStride = (shape.vocabularySize + 15) / 16 * 16
        logits = try ScratchBuffer(count: logitRows * logitStride)
        cache = try KeyValueCache(
            layers: shape.decoderLayers, heads: shape.decoderHeads, headWidth: ModelShape.headWidth,
            slots: lanes * Self.slots(shape: shape, hypotheses: hypotheses), precision: precision)
        batch = DecoderBatch(capacity: rowCapacity)
        x = try ScratchBuffer(count: rowCapacity * shape.width)
        y = try ScratchBuffer(count: rowCapacity * shape.width)
        wide = try ScratchBuffer(count: rowCapacity * 4 * shape.width)
        self.context = context
        try decoder.reserve(context, rows: rowCapacity)
        crossProjection = try ScratchBuffer(count: shape.audioContext * 2 * shape.width)
    }

    /// The cache slots of one window: its prompt's, and its tokens', which are at most half of the context beyond it.
    static func slots(shape: ModelShape, hypotheses: Int) -> Int {
        shape.textContext + hypotheses * (shape.textContext / 2 + 1)
    }

    /// Room for a window's cross-attention keys and values before they are packed: [positions, 2 · width].
    let crossProjection: ScratchBuffer

    /// Row `row` of the last logits.
    func logits(row: Int) -> UnsafeMutablePointer<Float> { logits.pointer + row * logitStride }
}
