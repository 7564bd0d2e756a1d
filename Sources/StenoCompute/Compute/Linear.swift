internal import CStenoKernels
package import StenoCore

/// An affine map with its weights: y = W x + b.
package struct Linear: Sendable {
    package let matrix: PackedMatrix
    package let bias: FloatBuffer?

    package init(matrix: PackedMatrix, bias: FloatBuffer? = nil) { (self.matrix, self.bias) = (matrix, bias) }

    package func workspaceBytes(rows: Int) -> Int { Int(steno_product_workspace(matrix.handle, Int32(rows))) }

    /// y[i] = act(W x[i] + b) + residual[i] for `rows` rows; `residual` may be `y`.
    ///
    /// - Parameter context: Its workspace must have been reserved for this many rows.
    package func apply(
        _ x: Rows, rows: Int, into y: Rows, activation: Activation = .identity, adding residual: Rows? = nil,
        in context: ComputeContext
    ) {
        multiply(x, rows: rows, into: y, activation: activation, adding: residual, after: nil, in: context)
    }

    /// One of several products of the same rows: y[i] = W x[i] + b + residual[i].
    package struct Product {
        package var linear: Linear
        package var y: Rows
        package var residual: Rows?

        package init(_ linear: Linear, into y: Rows, adding residual: Rows? = nil) {
            (self.linear, self.y, self.residual) = (linear, y, residual)
        }
    }

    /// Computes products of the same rows, in order: in int8 the rows are quantised once.
    ///
    /// - Parameters:
    ///   - x: The rows; no result may overlap them.
    ///   - context: Its workspace must have been reserved for this many rows of each.
    package static func apply(_ products: [Product], to x: Rows, rows: Int, in context: ComputeContext) {
        var previous: Linear?
        for product in products {
            product.linear.multiply(
                x, rows: rows, into: product.y, activation: .identity, adding: product.residual, after: previous,
                in: context)
            previous = product.linear
        }
    }

    /// - Parameter previous: What has just been applied to the same rows.
    private func multiply(
        _ x: Rows, rows: Int, into y: Rows, activation: Activation, adding residual: Rows?, after previous: Linear?,
        in context: ComputeContext
    ) {
        var product = steno_product()
        product.matrix = matrix.handle
        product.x = UnsafePointer(x.pointer)
        product.x_stride = Int64(x.stride)
        product.rows = Int32(rows)
        product.bias = bias?.pointer
        product.activation = activation.kernelActivation
        if let residual {
            product.residual = UnsafePointer(residual.pointer)
            product.residual_stride = Int64(residual.stride)
        }
        product.y = y.pointer
        product.y_stride = Int64(y.stride)
        product.workspace = context.workspace
        product.previous = previous?.matrix.handle
        steno_multiply(context.pool.handle, &product)
    }
}

package enum Activation: Sendable {
    case identity
    /// x · Φ(x), the exact Gaussian error linear unit (Hendrycks and Gimpel 2016).
    case gelu
    /// x / (1 + e^−x).
    case silu
    case tanh
    /// max(x, 0).
    case relu

    var kernelActivation: steno_activation {
        switch self {
        case .identity: STENO_IDENTITY
        case .gelu: STENO_GELU
        case .silu: STENO_SILU
        case .tanh: STENO_TANH
        case .relu: STENO_RELU
        }
    }
}

/// A weight matrix [outputs, inputs] packed for the kernels, in float32 or int8.
package final class PackedMatrix: @unchecked Sendable {
    // Sendable: written only while the model is loaded, read-only afterwards.
    let handle: OpaquePointer
    package let outputs: Int
    package let inputs: Int

    /// Zeros; throws `outOfMemory`.
    package init(outputs: Int, inputs: Int, precision: Precision) throws {
        guard let rows = Int32(exactly: outputs), let columns = Int32(exactly: inputs), rows > 0, columns > 0,
            let handle = steno_matrix_create(rows, columns, precision.kernelFormat)
        else {
            throw StenoError(
                .outOfMemory,
                "There is not enough memory for the model's weights (a matrix of \(outputs) × \(inputs)). "
                    + "Use a smaller model, or int8.")
        }
        (self.handle, self.outputs, self.inputs) = (handle, outputs, inputs)
    }

    deinit { steno_matrix_destroy(handle) }

    /// The size of the weights in memory, in bytes.
    package var byteCount: Int { Int(steno_matrix_bytes(handle)) }

    /// Sets rows, starting with `first`.
    ///
    /// - Parameter values: [count, inputs].
    /// - Returns: False if any value is NaN or infinite.
    package func setRows(from first: Int, count: Int, to values: UnsafePointer<Float>) -> Bool {
        steno_matrix_set_float(handle, Int32(first), Int32(count), values) == 0
    }

    /// Sets rows from int8 [count, inputs] and their per-row scales: weight = int8 / scale.
    ///
    /// - Returns: False if a scale gives weights that are not finite.
    package func setRows(
        from first: Int, count: Int, to bytes: UnsafePointer<Int8>, scales: UnsafePointer<Float>
    ) -> Bool {
        steno_matrix_set_int8(handle, Int32(first), Int32(count), bytes, scales) == 0
    }

    /// Copies one row: an embedding of `inputs` values.
    package func copyRow(_ row: Int, to values: UnsafeMutablePointer<Float>) {
        steno_matrix_get_row(handle, Int32(row), values)
    }

    /// Rows can only be set starting at multiples of this.
    package var rowAlignment: Int { Int(steno_matrix_panel(handle)) }
}

extension Precision {
    /// The kernels' name for the precision; ``automatic`` must have been resolved.
    var kernelFormat: steno_format { self == .int8 ? STENO_INT8 : STENO_FLOAT32 }
}
