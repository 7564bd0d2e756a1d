internal import CStenoKernels

/// Keys and values of one layer that many queries look at.
package final class AttentionMemory {
    private let handle: OpaquePointer
    /// How many positions are set.
    package private(set) var positions = 0

    /// Makes room for `capacity` positions of `heads` heads with 64 channels each.
    package init(heads: Int, capacity: Int, precision: Precision) throws {
        guard let handle = steno_memory_create(Int32(heads), Int32(capacity), precision.kernelPrecision) else {
            throw StenoError(.outOfMemory, "There is not enough memory to decode with this model.")
        }
        self.handle = handle
    }

    deinit { steno_memory_destroy(handle) }

    /// Takes keys and values [positions, heads · 64], `stride` floats from row to row.
    package func set(
        keys: UnsafePointer<Float>, values: UnsafePointer<Float>, stride: Int, positions: Int, in context: ComputeContext
    ) {
        self.positions = positions
        steno_memory_set(context.pool.handle, handle, keys, values, Int64(stride), Int32(positions))
    }

    /// out[i] = attention of query i, for `rows` rows of heads · 64 channels.
    package func attend(_ queries: Rows, rows: Int, into out: Rows, in context: ComputeContext) {
        steno_attend(
            context.pool.handle, handle, queries.pointer, Int64(queries.stride), Int32(rows), out.pointer, Int64(out.stride))
    }

    /// The scores of one head before the softmax, [rows, positions].
    package func scores(head: Int, of queries: Rows, rows: Int, into scores: Rows) {
        steno_attention_scores(
            handle, Int32(head), queries.pointer, Int64(queries.stride), Int32(rows), scores.pointer,
            Int64(scores.stride))
    }
}
