internal import CStenoKernels

/// Keys and values of one layer that many queries attend to.
package final class AttentionMemory {
    private let handle: OpaquePointer
    private let scale: Float
    /// How many positions are set.
    package private(set) var positions = 0

    /// Makes room for `capacity` positions of `heads` heads of `headWidth` channels, a multiple of 16 up to 256.
    ///
    /// - Parameter scale: What the scores are multiplied by; nil is 1 / √headWidth.
    package init(heads: Int, headWidth: Int, capacity: Int, precision: Precision, scale: Float? = nil) throws {
        guard
            let heads = Int32(exactly: heads), let width = Int32(exactly: headWidth),
            let capacity = Int32(exactly: capacity),
            let handle = steno_memory_create(heads, width, capacity, precision.kernelFormat)
        else { throw StenoError(.outOfMemory, "There is not enough memory to decode with this model.") }
        self.handle = handle
        self.scale = scale ?? 1 / Float(headWidth).squareRoot()
    }

    deinit { steno_memory_destroy(handle) }

    /// Packs keys and values [positions, heads · headWidth], `stride` floats from row to row.
    package func set(
        keys: UnsafePointer<Float>, values: UnsafePointer<Float>, stride: Int, positions: Int, in context: ComputeContext
    ) {
        self.positions = positions
        steno_memory_set(context.pool.handle, handle, keys, values, Int64(stride), Int32(positions))
    }

    /// out[i] = attention of query i, for `rows` rows of heads · headWidth channels.
    package func attend(_ queries: Rows, rows: Int, into out: Rows, in context: ComputeContext) {
        var attention = attention(queries, rows: rows)
        attention.out = out.pointer
        attention.out_stride = Int64(out.stride)
        steno_attend(context.pool.handle, &attention)
    }

    /// The scores of one head before the softmax, [rows, positions].
    package func scores(head: Int, of queries: Rows, rows: Int, into scores: Rows) {
        var attention = attention(queries, rows: rows)
        steno_attention_scores(&attention, Int32(head), scores.pointer, Int64(scores.stride))
    }

    private func attention(_ queries: Rows, rows: Int) -> steno_attention {
        var attention = steno_attention()
        attention.memory = handle
        attention.scale = scale
        attention.queries = UnsafePointer(queries.pointer)
        attention.query_stride = Int64(queries.stride)
        attention.rows = Int32(rows)
        return attention
    }
}
