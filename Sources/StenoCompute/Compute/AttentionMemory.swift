internal import CStenoKernels
package import StenoCore

/// The packed keys and values of one layer, which many queries attend to.
package final class AttentionMemory {
    let handle: OpaquePointer
    let scale: Float
    package private(set) var positions = 0

    /// Allocates room for `capacity` positions of `heads` heads, each with `headWidth` channels (a multiple of 16, up
    /// to 256).
    ///
    /// - Parameter scale: The factor applied to the scores; nil is 1 / √headWidth.
    package init(heads: Int, headWidth: Int, capacity: Int, precision: Precision, scale: Float? = nil) throws {
        guard
            let heads = Int32(exactly: heads), let width = Int32(exactly: headWidth),
            let capacity = Int32(exactly: capacity),
            let handle = steno_memory_create(heads, width, capacity, precision.kernelFormat)
        else {
            throw StenoError(.outOfMemory, "There is not enough memory to decode with this model. Use a smaller model.")
        }
        self.handle = handle
        self.scale = scale ?? 1 / Float(headWidth).squareRoot()
    }

    deinit { steno_memory_destroy(handle) }

    /// Packs keys and values [positions, heads · headWidth], with `stride` elements between rows.
    package func set(
        keys: UnsafePointer<Float>, values: UnsafePointer<Float>, stride: Int, positions: Int,
        in context: ComputeContext
    ) {
        self.positions = positions
        steno_memory_set(context.pool.handle, handle, keys, values, Int64(stride), Int32(positions))
    }

    /// Computes attention for `rows` queries of heads · headWidth channels: out[i] = attention of query i.
    package func attend(_ queries: Rows, rows: Int, into out: Rows, in context: ComputeContext) {
        var attention = attention(queries, rows: rows, into: out)
        steno_attend(context.pool.handle, &attention)
    }

    /// Computes the scores of one head before the softmax, [rows, positions].
    package func scores(head: Int, of queries: Rows, rows: Int, into scores: Rows) {
        var attention = attention(queries, rows: rows)
        steno_attention_scores(&attention, Int32(head), scores.pointer, Int64(scores.stride))
    }

    fileprivate func attention(_ queries: Rows, rows: Int, into out: Rows) -> steno_attention {
        var attention = attention(queries, rows: rows)
        attention.out = out.pointer
        attention.out_stride = Int64(out.stride)
        return attention
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

/// Attention over several memories with equal heads, in one parallel region so that the threads synchronise only once.
package struct BatchedAttention {
    private var attentions: [steno_attention] = []

    /// - Parameter capacity: The maximum number of memories, allocated in advance so that a decoder step allocates
    ///   nothing.
    package init(capacity: Int) { attentions.reserveCapacity(capacity) }

    /// Empties the list.
    package mutating func removeAll() { attentions.removeAll(keepingCapacity: true) }

    /// Adds `rows` queries and the rows for their results.
    package mutating func append(_ memory: AttentionMemory, queries: Rows, rows: Int, into out: Rows) {
        attentions.append(memory.attention(queries, rows: rows, into: out))
    }

    /// Computes all of them.
    package func run(in context: ComputeContext) {
        attentions.withUnsafeBufferPointer {
            steno_attend_all(context.pool.handle, $0.baseAddress, Int32($0.count))
        }
    }
}
