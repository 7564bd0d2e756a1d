internal import CStenoKernels

/// Operations on the channels of rows: the columns of a matrix.
package enum Channels {
    /// y[i][c] = the largest of `step` consecutive rows of x, or of their magnitudes, for `rows` rows of y.
    package static func maxPool(
        _ x: Rows, rows: Int, width: Int, step: Int, magnitudes: Bool = false, into y: Rows, in context: ComputeContext
    ) {
        steno_max_pool(
            context.pool.handle, x.pointer, Int64(x.stride), Int32(rows), Int32(width), Int32(step), magnitudes,
            y.pointer, Int64(y.stride))
    }

    /// sums[c] = Σ x[i][c].
    package static func sum(_ x: Rows, rows: Int, width: Int, into sums: UnsafeMutablePointer<Float>) {
        steno_channel_sums(x.pointer, Int64(x.stride), Int32(rows), Int32(width), sums)
    }

    /// squares[c] = Σ (x[i][c] − centre[c])².
    package static func squares(
        _ x: Rows, rows: Int, width: Int, around centre: UnsafePointer<Float>, into squares: UnsafeMutablePointer<Float>
    ) {
        steno_channel_squares(x.pointer, Int64(x.stride), Int32(rows), Int32(width), centre, squares)
    }

    /// y[i][c] = f(x[i][c] · scale[c] + shift[c]), where f multiplies negative numbers by the slope; y may be x.
    ///
    /// - Parameter slope: 0 is ReLU, 1 the identity.
    package static func scale(
        _ x: Rows, rows: Int, width: Int, by scale: UnsafePointer<Float>, plus shift: UnsafePointer<Float>,
        slope: Float, into y: Rows, in context: ComputeContext
    ) {
        steno_scale_channels(
            context.pool.handle, x.pointer, Int64(x.stride), Int32(rows), Int32(width), scale, shift, slope, y.pointer,
            Int64(y.stride))
    }
}

/// A batch norm with its running statistics, as one factor and one summand for each channel.
package struct ChannelScale: Sendable {
    package let scale: FloatBuffer
    package let shift: FloatBuffer

    package init(scale: [Float], shift: [Float]) throws {
        precondition(scale.count == shift.count, "both have a number for each channel")
        self.scale = try FloatBuffer(scale)
        self.shift = try FloatBuffer(shift)
    }

    /// Factors of 1, for an activation alone.
    package static func identity(width: Int) throws -> ChannelScale {
        try ChannelScale(scale: [Float](repeating: 1, count: width), shift: [Float](repeating: 0, count: width))
    }

    package var width: Int { scale.count }

    /// y[i] = f(x[i] · scale + shift) as in ``Channels``, by default with ReLU; y may be x.
    package func apply(_ x: Rows, rows: Int, slope: Float = 0, into y: Rows, in context: ComputeContext) {
        Channels.scale(
            x, rows: rows, width: width, by: scale.pointer, plus: shift.pointer, slope: slope, into: y, in: context)
    }
}
