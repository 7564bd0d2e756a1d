internal import CStenoKernels

/// Rows of floats in somebody's memory: `pointer[i * stride + j]`.
struct Rows {
    var pointer: UnsafeMutablePointer<Float>
    var stride: Int

    init(_ pointer: UnsafeMutablePointer<Float>, stride: Int) {
        self.pointer = pointer
        self.stride = stride
    }

    /// The same rows from row `index` on.
    func from(_ index: Int) -> Rows { Rows(pointer + index * stride, stride: stride) }

    /// The same rows without their first `count` columns.
    func dropColumns(_ count: Int) -> Rows { Rows(pointer + count, stride: stride) }
}

/// An affine map with its weights: y = W x + b.
struct Linear: Sendable {
    let matrix: PackedMatrix
    let bias: FloatBuffer?

    /// The scratch bytes a product with this many rows needs.
    func workspace(rows: Int) -> Int { Int(steno_product_workspace(matrix.handle, Int32(rows))) }

    /// y[i] = act(W x[i] + b) + residual[i] for `rows` rows; `residual` may be `y`.
    func apply(
        _ x: Rows, rows: Int, into y: Rows, activation: steno_activation = STENO_IDENTITY, adding residual: Rows? = nil,
        workspace: ScratchBuffer, pool: WorkerPool
    ) {
        var product = steno_product()
        product.matrix = matrix.handle
        product.x = UnsafePointer(x.pointer)
        product.x_stride = Int64(x.stride)
        product.rows = Int32(rows)
        product.bias = bias.map { UnsafePointer($0.pointer) }
        product.activation = activation
        if let residual {
            product.residual = UnsafePointer(residual.pointer)
            product.residual_stride = Int64(residual.stride)
        }
        product.y = y.pointer
        product.y_stride = Int64(y.stride)
        product.workspace = UnsafeMutableRawPointer(workspace.pointer)
        steno_multiply(pool.handle, &product)
    }
}

/// Layer normalisation with its weights.
struct LayerNorm: Sendable {
    let gamma: FloatBuffer
    let beta: FloatBuffer
    let epsilon: Float

    /// y[i] = norm(x[i]) · gamma + beta for `rows` rows; `y` may be `x`.
    func apply(_ x: Rows, rows: Int, into y: Rows, pool: WorkerPool) {
        steno_layer_norm(
            pool.handle, x.pointer, Int64(x.stride), Int32(rows), Int32(gamma.count), gamma.pointer, beta.pointer,
            epsilon, y.pointer, Int64(y.stride))
    }
}

/// Keys and values of one layer that many queries look at.
final class AttentionMemory: @unchecked Sendable {
    // Sendable: belongs to one state, which one task uses at a time.
    private let handle: OpaquePointer
    /// How many positions are set.
    private(set) var positions = 0

    /// Makes room for `capacity` positions of `heads` heads with 64 channels each.
    init(heads: Int, capacity: Int, precision: Precision) throws {
        guard let handle = steno_memory_create(Int32(heads), Int32(capacity), precision.kernelPrecision) else {
            throw WhisperError(.modelUnsupported, "There is not enough memory to decode with this model.")
        }
        self.handle = handle
    }

    deinit { steno_memory_destroy(handle) }

    /// Takes keys and values [positions, heads · 64], `stride` floats from row to row.
    func set(keys: UnsafePointer<Float>, values: UnsafePointer<Float>, stride: Int, positions: Int, pool: WorkerPool) {
        self.positions = positions
        steno_memory_set(pool.handle, handle, keys, values, Int64(stride), Int32(positions))
    }

    /// out[i] = attention of query i, for `rows` rows of heads · 64 channels.
    func attend(_ queries: Rows, rows: Int, into out: Rows, pool: WorkerPool) {
        steno_attend(
            pool.handle, handle, queries.pointer, Int64(queries.stride), Int32(rows), out.pointer, Int64(out.stride))
    }

    /// The same for several windows at once: each attends its own rows of `queries` and writes those of `out`.
    ///
    /// One region of the pool serves them all, so that no thread waits after every window.
    static func attend(
        _ windows: [steno_window_queries], queries: Rows, into out: Rows, pool: WorkerPool
    ) {
        steno_attend_windows(
            pool.handle, windows, Int32(windows.count), queries.pointer, Int64(queries.stride), out.pointer,
            Int64(out.stride))
    }

    /// These keys and values for the given rows of a batch.
    func queries(_ rows: Range<Int>) -> steno_window_queries {
        steno_window_queries(memory: handle, row: Int32(rows.lowerBound), row_end: Int32(rows.upperBound))
    }

    /// The scores of one head before the softmax, [rows, positions].
    func scores(head: Int, of queries: Rows, rows: Int, into scores: Rows) {
        steno_attention_scores(
            handle, Int32(head), queries.pointer, Int64(queries.stride), Int32(rows), scores.pointer,
            Int64(scores.stride))
    }
}

/// Reductions over a row of logits.
enum Reductions {
    /// The largest value.
    static func maximum(_ x: UnsafePointer<Float>, count: Int) -> Float { steno_maximum(x, Int64(count)) }

    /// log Σ exp(x).
    static func logSumExp(_ x: UnsafePointer<Float>, count: Int) -> Float { steno_log_sum_exp(x, Int64(count)) }

    /// Turns logits into log probabilities.
    static func logSoftmax(_ x: UnsafeMutablePointer<Float>, count: Int) { steno_log_softmax(x, Int64(count)) }

    /// The indices of the largest values, largest first, the lower index first among equals.
    static func top(
        _ k: Int, of x: UnsafePointer<Float>, count: Int, into indices: UnsafeMutablePointer<Int32>
    ) {
        steno_top_k(x, Int64(count), Int32(k), indices)
    }
}
