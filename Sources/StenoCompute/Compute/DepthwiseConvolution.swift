internal import CStenoKernels

/// A convolution over rows in which every channel is on its own.
package struct DepthwiseConvolution: Sendable {
    /// [taps, channels].
    package let weights: FloatBuffer
    /// [channels].
    package let bias: FloatBuffer

    package init(weights: FloatBuffer, bias: FloatBuffer) {
        precondition(weights.count.isMultiple(of: bias.count), "all channels have the same taps")
        (self.weights, self.bias) = (weights, bias)
    }

    /// The number of rows that a row of the result depends on.
    package var taps: Int { weights.count / bias.count }

    /// y[i] = act(Σ_k x[i + k] · w[k] + b) for `rows` rows; reads `rows` + taps − 1 rows of x, and y is not x.
    package func apply(
        _ x: Rows, rows: Int, into y: Rows, activation: Activation = .identity, in context: ComputeContext
    ) {
        var convolution = steno_depthwise()
        convolution.x = UnsafePointer(x.pointer)
        convolution.x_stride = Int64(x.stride)
        convolution.rows = Int32(rows)
        convolution.channels = Int32(bias.count)
        convolution.taps = Int32(taps)
        convolution.weights = weights.pointer
        convolution.bias = bias.pointer
        convolution.activation = activation.kernelActivation
        convolution.y = y.pointer
        convolution.y_stride = Int64(y.stride)
        steno_convolve_depthwise(context.pool.handle, &convolution)
    }
}

/// A convolution of 3 × 3 with stride 2 over images of rows and bands, in which every channel is on its own.
package struct DepthwiseImageConvolution: Sendable {
    /// [3 rows, 3 bands, channels].
    private let weights: FloatBuffer
    /// [channels].
    private let bias: FloatBuffer
    /// The zero bands before the first, 1 or 2; one follows the last.
    private let padding: Int

    package init(weights: FloatBuffer, bias: FloatBuffer, padding: Int) {
        precondition(weights.count == 9 * bias.count, "the kernel is 3 × 3")
        (self.weights, self.bias, self.padding) = (weights, bias, padding)
    }

    /// y [rows, (bands + padding) / 2, channels] from x [2 · rows + 1, bands, channels], both without gaps.
    package func apply(
        _ x: UnsafePointer<Float>, rows: Int, bands: Int, into y: UnsafeMutablePointer<Float>,
        in context: ComputeContext
    ) {
        var convolution = steno_depthwise_image()
        convolution.x = x
        convolution.rows = Int32(rows)
        convolution.bands = Int32(bands)
        convolution.channels = Int32(bias.count)
        convolution.padding = Int32(padding)
        convolution.weights = weights.pointer
        convolution.bias = bias.pointer
        convolution.y = y
        steno_convolve_image(context.pool.handle, &convolution)
    }
}

/// Activations that are not part of a product.
package enum Activations {
    /// Gated linear units: y[i][c] = x[i][c] · σ(x[i][width + c]).
    package static func gate(_ x: Rows, rows: Int, width: Int, into y: Rows, in context: ComputeContext) {
        steno_gate(
            context.pool.handle, x.pointer, Int64(x.stride), Int32(rows), Int32(width), y.pointer, Int64(y.stride))
    }

    /// x / (1 + e^−x), in place.
    package static func silu(_ x: Rows, rows: Int, width: Int, in context: ComputeContext) {
        steno_silu(context.pool.handle, x.pointer, Int64(x.stride), Int32(rows), Int32(width))
    }
}
