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

/// Keys and values of one layer that many queries attend to.
final class AttentionMemory: @unchecked Sendable {
    // Sendable: belongs to one state, which one task uses at a time.
    private let handle: OpaquePointer
    private let scale: Float
    /// How many positions are set.
    private(set) var positions = 0

    /// Makes room for `capacity` positions of `heads` heads of `headWidth` channels, a multiple of 16 up to 256.
    ///
    /// The scores are multiplied by 1 / √headWidth.
    init(heads: Int, headWidth: Int, capacity: Int, precision: Precision) throws {
        guard
            let heads = Int32(exactly: heads), let width = Int32(exactly: headWidth),
            let capacity = Int32(exactly: capacity),
            let handle = steno_memory_create(heads, width, capacity, precision.kernelFormat)
        else { throw WhisperError(.modelUnsupported, "There is not enough memory to decode with this model.") }
        self.handle = handle
        scale = 1 / Float(headWidth).squareRoot()
    }

    deinit { steno_memory_destroy(handle) }

    /// Takes keys and values [positions, heads · headWidth], `stride` floats from row to row.
    func set(keys: UnsafePointer<Float>, values: UnsafePointer<Float>, stride: Int, positions: Int, pool: WorkerPool) {
        self.positions = positions
        steno_memory_set(pool.handle, handle, keys, values, Int64(stride), Int32(positions))
    }

    /// out[i] = attention of query i, for `rows` rows of heads · headWidth channels.
    func attend(_ queries: Rows, rows: Int, into out: Rows, pool: WorkerPool) {
        var attention = attention(queries, rows: rows)
        attention.out = out.pointer
        attention.out_stride = Int64(out.stride)
        steno_attend(pool.handle, &attention)
    }

    /// The scores of one head before the softmax, [rows, positions].
    func scores(head: Int, of queries: Rows, rows: Int, into scores: Rows) {
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
