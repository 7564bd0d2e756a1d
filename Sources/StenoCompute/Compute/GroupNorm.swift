internal import CStenoKernels

/// Group normalisation with one group (Wu and He 2018): one mean and one variance for all rows and columns, and weights
/// for each column.
package struct GroupNorm: Sendable {
    package let gamma: FloatBuffer
    package let beta: FloatBuffer
    package let epsilon: Float

    package init(gamma: FloatBuffer, beta: FloatBuffer, epsilon: Float) {
        self.gamma = gamma
        self.beta = beta
        self.epsilon = epsilon
    }

    /// Normalises rows in place.
    package func apply(_ x: Rows, rows: Int, in context: ComputeContext) {
        steno_group_norm(
            context.pool.handle, x.pointer, Int64(x.stride), Int32(rows), Int32(gamma.count), gamma.pointer,
            beta.pointer, epsilon, x.pointer, Int64(x.stride))
    }
}
