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

    package mutating func removeAll() { attentions.removeAll(keepingCapacity: true) }

    package mutating func append(_ memory: AttentionMemory, queries: Rows, rows: Int, into out: Rows) {
        attentions.append(memory.attention(queries, rows: rows, into: out))
    }

    package func run(in context: ComputeContext) {
        attentions.withUnsafeBufferPointer { steno_attend_all(context.pool.handle, $0.baseAddress, Int32($0.count)) }
    }
}

/// The heads of a layer's attention: their width in the model, and the one in which attention is computed.
package struct AttentionHeads: Sendable, Hashable {
    package var count: Int
    /// The number of channels of a head.
    package var width: Int

    package init(count: Int, width: Int) { (self.count, self.width) = (count, width) }

    /// The width of a head with zeros after its channels: a multiple of 16, as the kernels need.
    package var paddedWidth: Int { (width + 15) / 16 * 16 }

    package var channels: Int { count * width }

    package var paddedChannels: Int { count * paddedWidth }

    package var scale: Float { 1 / Float(width).squareRoot() }

    /// Copies rows of `groups` times the heads (such as queries and keys) to rows of padded heads.
    ///
    /// - Parameters:
    ///   - angles: If given, each row is rotated by those of its position, the first of which is `position`.
    ///   - y: Must not overlap `x`.
    package func pad(
        _ x: Rows, rows: Int, groups: Int = 1, rotated angles: RotaryAngles? = nil, from position: Int = 0,
        into y: Rows, in context: ComputeContext
    ) {
        var rotation = steno_rotation()
        rotation.x = UnsafePointer(x.pointer)
        rotation.x_stride = Int64(x.stride)
        rotation.rows = Int32(rows)
        rotation.heads = Int32(groups * count)
        rotation.head_width = Int32(width)
        rotation.rotated = Int32(angles?.channels ?? 0)
        rotation.angles = angles?.from(position)
        rotation.y = y.pointer
        rotation.y_stride = Int64(y.stride)
        rotation.y_head_width = Int32(paddedWidth)
        steno_rotate(context.pool.handle, &rotation)
    }

    /// Arranges a row of the projection after attention, whose inputs are padded heads.
    package func padColumns(_ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>) {
        for head in 0..<count { (to + head * paddedWidth).update(from: from + head * width, count: width) }
    }
}
