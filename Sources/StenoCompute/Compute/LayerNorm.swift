internal import CStenoKernels

/// Layer normalisation with its weights.
package struct LayerNorm: Sendable {
    package let gamma: FloatBuffer
    package let beta: FloatBuffer
    package let epsilon: Float

    package init(gamma: FloatBuffer, beta: FloatBuffer, epsilon: Float) {
        self.gamma = gamma
        self.beta = beta
        self.epsilon = epsilon
    }

    /// y[i] = norm(x[i]) · gamma + beta for `rows` rows; `y` may be `x`.
    package func apply(_ x: Rows, rows: Int, into y: Rows, in context: ComputeContext) {
        steno_layer_norm(
            context.pool.handle, x.pointer, Int64(x.stride), Int32(rows), Int32(gamma.count), gamma.pointer,
            beta.pointer,
            epsilon, y.pointer, Int64(y.stride))
    }
}
