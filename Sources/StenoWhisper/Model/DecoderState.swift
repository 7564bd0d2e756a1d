import StenoCompute
import StenoCore

/// The memory that decoding writes to: the KV cache, and buffers for as many rows as a prompt or the beams need.
final class DecoderState {
    let cache: KeyValueCache
    let batch: DecoderBatch
    /// The maximum number of rows in a step.
    let rowCapacity: Int
    /// The maximum number of rows whose logits can be requested at once.
    let logitRows: Int
    /// The distance from one row of logits to the next, in elements.
    let logitStride: Int
    /// The most recently computed logits: [logitRows, logitStride].
    let logits: ScratchBuffer

    /// [rows, width] each.
    let x: ScratchBuffer
    let y: ScratchBuffer
    /// Queries, keys and values [rows, 3 · width], then the hidden layer [rows, 4 · width].
    let wide: ScratchBuffer
    let context: ComputeContext

    /// Allocates room for the windows of `lanes`, each with `hypotheses` rows, and for a prompt as long as the model's
    /// context in addition.
    init(
        shape: ModelShape, decoder: TextDecoder, precision: Precision, hypotheses: Int, lanes: Int = 1,
        context: ComputeContext
    ) throws {
        rowCapacity = shape.textContext + lanes * hypotheses
        // Word probabilities are computed several rows at a time, because every pass reads all of the vocabulary's
        // weights. A lane that starts requests two rows.
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

    /// The number of cache slots per window: its prompt's, and its tokens', which are at most half of the context
    /// beyond it.
    static func slots(shape: ModelShape, hypotheses: Int) -> Int {
        shape.textContext + hypotheses * (shape.textContext / 2 + 1)
    }

    /// A window's cross-attention keys and values before packing: [positions, 2 · width].
    let crossProjection: ScratchBuffer

    /// Row `row` of the most recent logits.
    func logits(row: Int) -> UnsafeMutablePointer<Float> { logits.pointer + row * logitStride }
}
