internal import CStenoKernels
package import StenoCore

/// A decoder's self-attention KV cache: a key and a value for each layer and slot.
///
/// A slot is one token of one hypothesis. Hypotheses with a common prefix list the same slots, so splitting or dropping
/// a beam copies a list of slot numbers and no keys.
package final class KeyValueCache {
    /// Rows to compute attention for, each over the slots of its list; the pointers have `count` entries.
    package struct Lookup {
        package var count: Int
        /// The number of slots each row attends to, its own included.
        package var lengths: UnsafePointer<Int32>
        /// The index of each row's list.
        package var lists: UnsafePointer<Int32>
        /// List i begins at `slotLists + i * slotStride`.
        package var slotLists: UnsafePointer<Int32>
        package var slotStride: Int

        package init(
            count: Int, lengths: UnsafePointer<Int32>, lists: UnsafePointer<Int32>, slotLists: UnsafePointer<Int32>,
            slotStride: Int
        ) {
            (self.count, self.lengths, self.lists) = (count, lengths, lists)
            (self.slotLists, self.slotStride) = (slotLists, slotStride)
        }
    }

    /// [heads, slots, head width] for each layer, so that the data one head reads is contiguous.
    private let keys: [ScratchBuffer]
    private let values: [ScratchBuffer]
    private let heads: Int
    private let headWidth: Int
    private let scale: Float
    private let format: steno_format
    package let slots: Int

    /// - Parameter scale: The factor applied to the scores; nil is 1 / √headWidth.
    package init(
        layers: Int, heads: Int, headWidth: Int, slots: Int, precision: Precision, scale: Float? = nil
    ) throws {
        self.scale = scale ?? 1 / Float(headWidth).squareRoot()
        (self.slots, self.heads, self.headWidth) = (slots, heads, headWidth)
        // With int8 weights, bfloat16: half the memory traffic per token.
        format = precision == .int8 ? STENO_BFLOAT16 : STENO_FLOAT32
        let bytes = slots * heads * headWidth * Int(steno_cache_number_bytes(format))
        let floats = (bytes + MemoryLayout<Float>.size - 1) / MemoryLayout<Float>.size
        // Left uninitialised, so that only the slots a window uses take memory.
        keys = try (0..<layers).map { _ in try ScratchBuffer(count: floats) }
        values = try (0..<layers).map { _ in try ScratchBuffer(count: floats) }
    }

    /// Stores the key and value of each of `count` rows in its slot; a row of `projected` is the key followed by the
    /// value.
    package func store(_ projected: Rows, count: Int, slots ownSlots: UnsafePointer<Int32>, layer: Int) {
        let width = heads * headWidth
        for row in 0..<count {
            let from = projected.from(row).pointer
            for head in 0..<heads {
                let offset = Int64((head * slots + Int(ownSlots[row])) * headWidth)
                let key = from + head * headWidth
                steno_cache_store(format, key, Int64(headWidth), keys[layer].pointer, offset)
                steno_cache_store(format, key + width, Int64(headWidth), values[layer].pointer, offset)
            }
        }
    }

    package func attend(_ queries: Rows, _ lookup: Lookup, layer: Int, into out: Rows, in context: ComputeContext) {
        var attention = steno_cached_attention()
        attention.queries = UnsafePointer(queries.pointer)
        attention.query_stride = Int64(queries.stride)
        attention.rows = Int32(lookup.count)
        attention.heads = Int32(heads)
        attention.head_width = Int32(headWidth)
        attention.scale = scale
        attention.keys = UnsafeRawPointer(keys[layer].pointer)
        attention.values = UnsafeRawPointer(values[layer].pointer)
        attention.format = format
        attention.slot_stride = Int64(headWidth)
        attention.head_stride = Int64(slots) * Int64(headWidth)
        attention.slots = lookup.slotLists
        attention.slots_stride = Int64(lookup.slotStride)
        attention.lists = lookup.lists
        attention.lengths = lookup.lengths
        attention.out = out.pointer
        attention.out_stride = Int64(out.stride)
        steno_attend_cached(context.pool.handle, &attention)
    }
}
