internal import CStenoKernels

/// The heads of a layer's attention: their width in the model, and the one in which attention is computed.
package struct AttentionHeads: Sendable, Hashable {
    package var count: Int
    /// The number of channels of a head.
    package var width: Int

    package init(count: Int, width: Int) {
        self.count = count
        self.width = width
    }

    /// The width of a head with zeros after its channels: a multiple of 16, as the kernels need.
    package var paddedWidth: Int { (width + 15) / 16 * 16 }

    /// The number of channels of all heads.
    package var channels: Int { count * width }

    package var paddedChannels: Int { count * paddedWidth }

    /// The factor of the scores.
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
