internal import CStenoKernels
package import StenoCore

/// A weight matrix [outputs, inputs] packed for the kernels, in float32 or int8.
package final class PackedMatrix: @unchecked Sendable {
    // Sendable: written only while the model is loaded, read-only afterwards.
    let handle: OpaquePointer
    package let outputs: Int
    package let inputs: Int

    /// Allocates a matrix of zeros.
    ///
    /// - Throws: `outOfMemory`.
    package init(outputs: Int, inputs: Int, precision: Precision) throws {
        guard let rows = Int32(exactly: outputs), let columns = Int32(exactly: inputs), rows > 0, columns > 0,
            let handle = steno_matrix_create(rows, columns, precision.kernelFormat)
        else {
            throw StenoError(
                .outOfMemory,
                "There is not enough memory for the model's weights (a matrix of \(outputs) × \(inputs)). "
                    + "Use a smaller model, or int8.")
        }
        self.handle = handle
        self.outputs = outputs
        self.inputs = inputs
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
