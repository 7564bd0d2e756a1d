internal import CStenoKernels

/// The decoder's own past: a key and a value for each layer and slot.
///
/// A slot is one token of one hypothesis. Hypotheses that share a past list the same slots, so a beam that splits or
/// dies moves a list of numbers and no key.
final class KeyValueCache {
    /// [heads, slots, head width] for each layer: what one head attends to lies together.
    private let keys: [ScratchBuffer]
    private let values: [ScratchBuffer]
    private let heads: Int
    private let headWidth = ModelShape.headWidth
    /// How the numbers are stored.
    private let format: steno_format
    /// How many slots there are.
    let slots: Int

    init(shape: ModelShape, slots: Int, precision: Precision) {
        self.slots = slots
        heads = shape.decoderHeads
        // Beside int8 weights bfloat16: half the memory to fetch for every token.
        format = precision == .int8 ? STENO_BFLOAT16 : STENO_FLOAT32
        let bytes = slots * shape.width * Int(steno_cache_number_bytes(format))
        let floats = (bytes + MemoryLayout<Float>.size - 1) / MemoryLayout<Float>.size
        // Left as they come: memory is only taken for the slots a window really uses.
        keys = (0..<shape.decoderLayers).map { _ in ScratchBuffer(count: floats) }
        values = (0..<shape.decoderLayers).map { _ in ScratchBuffer(count: floats) }
    }

    /// Stores each row's key and value: `projected` rows are key then value.
    func store(_ projected: Rows, batch: DecoderBatch, layer: Int) {
        let width = heads * headWidth
        for row in 0..<batch.count {
            let from = projected.from(row).pointer
            for head in 0..<heads {
                let offset = Int64((head * slots + Int(batch.ownSlots[row])) * headWidth)
                let key = from + head * headWidth
                steno_cache_store(format, key, Int64(headWidth), keys[layer].pointer, offset)
                steno_cache_store(format, key + width, Int64(headWidth), values[layer].pointer, offset)
            }
        }
    }

    /// Each row's attention over its slots.
    func attend(_ queries: Rows, batch: DecoderBatch, layer: Int, into out: Rows, pool: WorkerPool) {
        var attention = steno_cached_attention()
        attention.queries = UnsafePointer(queries.pointer)
        attention.query_stride = Int64(queries.stride)
        attention.rows = Int32(batch.count)
        attention.heads = Int32(heads)
        attention.head_width = Int32(headWidth)
        attention.scale = 1 / Float(headWidth).squareRoot()
        attention.keys = UnsafeRawPointer(keys[layer].pointer)
        attention.values = UnsafeRawPointer(values[layer].pointer)
        attention.format = format
        attention.slot_stride = Int64(headWidth)
        attention.head_stride = Int64(slots * headWidth)
        attention.slots = batch.slotLists
        attention.slots_stride = Int64(batch.slotStride)
        attention.lists = UnsafePointer(batch.lists)
        attention.lengths = UnsafePointer(batch.lengths)
        attention.out = out.pointer
        attention.out_stride = Int64(out.stride)
        steno_attend_cached(pool.handle, &attention)
    }
}
