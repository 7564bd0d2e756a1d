internal import CStenoKernels

/// The decoder's own past: a key and a value for each layer and slot.
///
/// A slot is one token of one hypothesis. Hypotheses that share a past list the same slots, so a beam that splits or
/// dies moves a list of numbers and no key.
final class KeyValueCache {
    /// [heads, slots, 64] for each layer: what one head looks at lies together.
    private let keys: [ScratchBuffer]
    private let values: [ScratchBuffer]
    private let heads: Int
    /// Beside int8 weights the numbers are kept in bfloat16: half the memory to fetch for every token.
    private let isHalf: Bool
    /// How many slots there are.
    let slots: Int

    init(shape: ModelShape, slots: Int, precision: Precision) {
        self.slots = slots
        heads = shape.decoderHeads
        isHalf = precision == .int8
        let floats = slots * shape.width / (isHalf ? 2 : 1)
        // Left as they come: memory is only taken for the slots a window really uses.
        keys = (0..<shape.decoderLayers).map { _ in ScratchBuffer(count: floats) }
        values = (0..<shape.decoderLayers).map { _ in ScratchBuffer(count: floats) }
    }

    /// Stores each row's key and value: `projected` rows are key then value.
    func store(_ projected: Rows, batch: DecoderBatch, layer: Int) {
        let channels = STENO_HEAD, width = heads * channels
        for row in 0..<batch.count {
            let from = projected.from(row).pointer
            for head in 0..<heads {
                let offset = (head * slots + Int(batch.ownSlots[row])) * channels
                keep(from + head * channels, at: offset, in: keys[layer])
                keep(from + width + head * channels, at: offset, in: values[layer])
            }
        }
    }

    /// Copies a head's channels to number `offset` of a buffer.
    private func keep(_ channels: UnsafePointer<Float>, at offset: Int, in buffer: ScratchBuffer) {
        let start = UnsafeMutableRawPointer(buffer.pointer)
        if isHalf {
            let halves = (start + 2 * offset).assumingMemoryBound(to: UInt16.self)
            steno_narrow_bfloat16(channels, Int64(STENO_HEAD), halves)
        } else {
            (buffer.pointer + offset).update(from: channels, count: STENO_HEAD)
        }
    }

    /// Each row's attention over its slots.
    func attend(_ queries: Rows, batch: DecoderBatch, layer: Int, into out: Rows, pool: WorkerPool) {
        var attention = steno_cached_attention()
        attention.queries = UnsafePointer(queries.pointer)
        attention.query_stride = Int64(queries.stride)
        attention.rows = Int32(batch.count)
        attention.heads = Int32(heads)
        attention.keys = UnsafeRawPointer(keys[layer].pointer)
        attention.values = UnsafeRawPointer(values[layer].pointer)
        attention.is_bfloat16 = isHalf ? 1 : 0
        attention.slot_stride = Int64(STENO_HEAD)
        attention.head_stride = Int64(slots) * Int64(STENO_HEAD)
        attention.slots = batch.slotLists
        attention.slots_stride = Int64(batch.slotStride)
        attention.lists = UnsafePointer(batch.lists)
        attention.lengths = UnsafePointer(batch.lengths)
        attention.out = out.pointer
        attention.out_stride = Int64(out.stride)
        steno_attend_cached(pool.handle, &attention)
    }
}
