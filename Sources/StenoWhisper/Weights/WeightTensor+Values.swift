internal import CStenoKernels

extension WeightTensor {
    /// Writes the values of rows `rows` as floats to `values`, which has room for them.
    func copyRows(_ rows: Range<Int>, to values: UnsafeMutablePointer<Float>) throws {
        guard let base = bytes.baseAddress else { return }
        let count = rows.count * rowCount
        let start = base + rows.lowerBound * rowCount * type.size
        switch type {
        case .float32: memcpyFloats(from: start, count: count, to: values)
        case .float16: steno_widen_float16(start, Int64(count), values)
        case .bfloat16: steno_widen_bfloat16(start, Int64(count), values)
        case .int8: try copyBytes(from: start, rows: rows, to: values)
        case .int16, .int32:
            throw WhisperError(
                .modelUnsupported,
                "The tensor \(name) is stored as \(type.rawValue), which is not supported. Convert the model with int8, float16 or float32."
            )
        }
    }

    /// All values as floats.
    func floats() throws -> FloatBuffer {
        let buffer = FloatBuffer(count: count)
        try copyRows(0..<(shape.first ?? 1), to: buffer.pointer)
        try check(isFinite: steno_are_finite(buffer.pointer, Int64(count)))
        return buffer
    }

    /// Throws unless the tensor's values are finite: with a NaN in it a model would write plausible text.
    func check(isFinite: Bool) throws {
        guard !isFinite else { return }
        throw WhisperError(
            .modelDamaged, "The model's tensor \(name) has values that are not finite numbers. Fetch the model again.")
    }

    private func memcpyFloats(from start: UnsafeRawPointer, count: Int, to values: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(values).copyMemory(from: start, byteCount: count * MemoryLayout<Float>.size)
    }

    private func copyBytes(
        from start: UnsafeRawPointer, rows: Range<Int>, to values: UnsafeMutablePointer<Float>
    ) throws {
        guard let scales else {
            throw WhisperError(.modelDamaged, "The tensor \(name) is stored as int8 but has no scales.")
        }
        for (index, row) in rows.enumerated() {
            for column in 0..<rowCount {
                let byte = start.load(fromByteOffset: index * rowCount + column, as: Int8.self)
                values[index * rowCount + column] = Float(byte) / scales[row]
            }
        }
    }
}
