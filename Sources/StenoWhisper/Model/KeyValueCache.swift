internal import CStenoKernels

/// The decoder's own past: a key and a value for each layer and slot.
///
/// A slot is one token of one hypothesis. Hypotheses that share a past list the same slots, so a beam that splits or
/// dies moves a list of numbers and no key.
final class KeyValueCache {
    /// [slots, width] for each layer.
    private let keys: [ScratchBuffer]
    private let values: [ScratchBuffer]
    private let width: Int
    /// How many slots there are.
    let slots: Int

    init(shape: ModelShape, slots: Int) {
        self.slots = slots
        width = shape.width
        // Left as they come: memory is only taken for the slots a window really uses.
        keys = (0..<shape.decoderLayers).map { _ in ScratchBuffer(count: slots * shape.width) }
        values = (0..<shape.decoderLayers).map { _ in ScratchBuffer(count: slots * shape.width) }
    }

    /// Stores each row's key and value: `projected` rows are key then value.
    func store(_ projected: Rows, batch: DecoderBatch, layer: Int) {
        for row in 0..<batch.count {
            let from = projected.from(row).pointer
            let offset = Int(batch.ownSlots[row]) * width
            (keys[layer].pointer + offset).update(from: from, count: width)
            (values[layer].pointer + offset).update(from: from + width, count: width)
        }
    }

    /// Each row's attention over its slots.
    func attend(_ queries: Rows, batch: DecoderBatch, layer: Int, heads: Int, into out: Rows, pool: WorkerPool) {
        var attention = steno_cached_attention()
        attention.queries = UnsafePointer(queries.pointer)
        attention.query_stride = Int64(queries.stride)
        attention.rows = Int32(batch.count)
        attention.heads = Int32(heads)
        attention.keys = UnsafePointer(keys[layer].pointer)
        attention.values = UnsafePointer(values[layer].pointer)
        attention.slots = batch.slotLists
        attention.slots_stride = Int64(batch.slotStride)
        attention.lists = UnsafePointer(batch.lists)
        attention.lengths = UnsafePointer(batch.lengths)
        attention.out = out.pointer
        attention.out_stride = Int64(out.stride)
        steno_attend_cached(pool.handle, &attention)
    }
}
