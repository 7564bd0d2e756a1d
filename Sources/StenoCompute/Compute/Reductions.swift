internal import CStenoKernels

/// Reductions over a row of logits or samples.
package enum Reductions {
    /// The largest magnitude of finite values; 0 if there are none.
    package static func peak(_ x: UnsafePointer<Float>, count: Int) -> Float { steno_peak(x, Int64(count)) }

    /// The largest value.
    package static func maximum(_ x: UnsafePointer<Float>, count: Int) -> Float { steno_maximum(x, Int64(count)) }

    /// log Σ exp(x).
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
