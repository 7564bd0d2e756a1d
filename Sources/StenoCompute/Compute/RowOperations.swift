internal import CStenoKernels

package struct LayerNorm: Sendable {
    package let gamma: FloatBuffer
    package let beta: FloatBuffer
    package let epsilon: Float

    package init(gamma: FloatBuffer, beta: FloatBuffer, epsilon: Float) {
        (self.gamma, self.beta, self.epsilon) = (gamma, beta, epsilon)
    }

    /// y[i] = norm(x[i]) · gamma + beta for `rows` rows; `y` may be `x`.
    package func apply(_ x: Rows, rows: Int, into y: Rows, in context: ComputeContext) {
        steno_layer_norm(
            context.pool.handle, x.pointer, Int64(x.stride), Int32(rows), Int32(gamma.count), gamma.pointer,
            beta.pointer, epsilon, y.pointer, Int64(y.stride))
    }
}

/// Group normalisation with one group (Wu and He 2018): one mean and one variance for all rows and columns, and weights
/// for each column.
package struct GroupNorm: Sendable {
    package let gamma: FloatBuffer
    package let beta: FloatBuffer
    package let epsilon: Float

    package init(gamma: FloatBuffer, beta: FloatBuffer, epsilon: Float) {
        (self.gamma, self.beta, self.epsilon) = (gamma, beta, epsilon)
    }

    package func apply(_ x: Rows, rows: Int, in context: ComputeContext) {
        steno_group_norm(
            context.pool.handle, x.pointer, Int64(x.stride), Int32(rows), Int32(gamma.count), gamma.pointer,
            beta.pointer, epsilon, x.pointer, Int64(x.stride))
    }
}

/// Gated linear units (Shazeer 2020): a product's results are values and, after them, as many gates.
package enum GatedUnit {
    /// Replaces the values of `rows` rows [2 · width] with value · SiLU(gate).
    package static func silu(_ x: Rows, rows: Int, width: Int, in context: ComputeContext) {
        steno_gate_silu(
            context.pool.handle, x.pointer, Int64(x.stride), Int32(rows), Int32(width), x.pointer, Int64(x.stride))
    }
}

/// Reductions over a row of logits or samples.
package enum Reductions {
    /// The largest magnitude of finite values; 0 if there are none.
    package static func peak(_ x: UnsafePointer<Float>, count: Int) -> Float { steno_peak(x, Int64(count)) }

    package static func maximum(_ x: UnsafePointer<Float>, count: Int) -> Float { steno_maximum(x, Int64(count)) }

    package static func logSumExp(_ x: UnsafePointer<Float>, count: Int) -> Float { steno_log_sum_exp(x, Int64(count)) }

    /// Turns logits into log probabilities.
    package static func logSoftmax(_ x: UnsafeMutablePointer<Float>, count: Int) { steno_log_softmax(x, Int64(count)) }

    /// The indices of the largest values in descending order; among equals, the lower index first.
    package static func top(
        _ k: Int, of x: UnsafePointer<Float>, count: Int, into indices: UnsafeMutablePointer<Int32>
    ) {
        steno_top_k(x, Int64(count), Int32(k), indices)
    }
}

/// A view of rows of floats in memory owned elsewhere: `pointer[i * stride + j]`.
package struct Rows {
    package var pointer: UnsafeMutablePointer<Float>
    package var stride: Int

    package init(_ pointer: UnsafeMutablePointer<Float>, stride: Int) {
        (self.pointer, self.stride) = (pointer, stride)
    }

    package func from(_ index: Int) -> Rows { Rows(pointer + index * stride, stride: stride) }

    package func dropColumns(_ count: Int) -> Rows { Rows(pointer + count, stride: stride) }
}
