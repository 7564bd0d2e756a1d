internal import CStenoKernels

/// Packs a file's tensors into what the kernels read, in the precision asked for.
struct WeightLoader {
    let weights: any WeightFile
    let precision: Precision
    let normEpsilon: Float

    /// The map of one module, or of several stacked one under the other: `[query, key, value]` become one product.
    ///
    /// Whisper's key maps have no bias; a missing bias is zeros.
    func linear(_ modules: [String], outputs: Int, inputs: Int) throws -> Linear {
        let matrix = try PackedMatrix(outputs: outputs * modules.count, inputs: inputs, precision: precision)
        let bias = FloatBuffer(count: outputs * modules.count)
        for (index, module) in modules.enumerated() {
            let weight = try weights.tensor(module + ".weight", shape: [outputs, inputs])
            try pack(weight, into: matrix, from: index * outputs)
            guard let values = try weights.tensor(module + ".bias") else { continue }
            guard values.shape == [outputs] else {
                throw WhisperError(.modelDamaged, "The model's tensor \(values.name) has the shape \(values.shape).")
            }
            let start = bias.pointer + index * outputs
            try values.copyRows(0..<outputs, to: start)
            try values.check(isFinite: steno_are_finite(start, Int64(outputs)))
        }
        return Linear(matrix: matrix, bias: bias)
    }

    /// The token embedding, which is also the output map.
    func embedding(_ name: String, outputs: Int, inputs: Int) throws -> PackedMatrix {
        let matrix = try PackedMatrix(outputs: outputs, inputs: inputs, precision: precision)
        try pack(weights.tensor(name, shape: [outputs, inputs]), into: matrix, from: 0)
        return matrix
    }

    /// A convolution of kernel 3 as a product with three neighbouring rows: [out, in, 3] becomes [out, 3 · in].
    ///
    /// In floats always: what the convolutions round away is missing in all that follows. With the second one in bytes
    /// a window's encoding takes 5 % less time, and the text of sounds of one or two seconds loses words.
    func convolution(_ module: String, outputs: Int, inputs: Int) throws -> Linear {
        let tensor = try weights.tensor(module + ".weight", shape: [outputs, inputs, 3])
        let values = try tensor.floats()
        let rows = FloatBuffer(count: outputs * 3 * inputs)
        for output in 0..<outputs {
            for input in 0..<inputs {
                for tap in 0..<3 {
                    rows.pointer[(output * 3 + tap) * inputs + input] =
                        values.pointer[(output * inputs + input) * 3 + tap]
                }
            }
        }
        let matrix = try PackedMatrix(outputs: outputs, inputs: 3 * inputs, precision: .float32)
        try tensor.check(isFinite: matrix.setRows(from: 0, count: outputs, to: rows.pointer))
        return Linear(matrix: matrix, bias: try weights.tensor(module + ".bias", shapeOfCount: outputs).floats())
    }

    /// A layer norm.
    func norm(_ module: String, width: Int) throws -> LayerNorm {
        LayerNorm(
            gamma: try weights.tensor(module + ".weight", shape: [width]).floats(),
            beta: try weights.tensor(module + ".bias", shape: [width]).floats(),
            epsilon: normEpsilon)
    }

    /// A table of rows, such as the positions.
    func table(_ name: String, rows: Int, width: Int) throws -> FloatBuffer {
        try weights.tensor(name, shape: [rows, width]).floats()
    }

    private func pack(_ tensor: WeightTensor, into matrix: PackedMatrix, from first: Int) throws {
        precondition(first % matrix.rowAlignment == 0)
        defer { tensor.forget() }
        if tensor.type == .int8, let scales = tensor.scales, let bytes = tensor.bytes.baseAddress {
            try scales.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                let bytes = bytes.assumingMemoryBound(to: Int8.self)
                try tensor.check(
                    isFinite: matrix.setRows(from: first, count: scales.count, to: bytes, scales: base))
            }
            return
        }
        // A few panels at a time, so that a float16 file never stands in memory as float32.
        let step = 8 * matrix.rowAlignment
        let rows = tensor.shape.first ?? 0
        let buffer = ScratchBuffer(count: step * tensor.rowCount)
        for start in stride(from: 0, to: rows, by: step) {
            let count = min(step, rows - start)
            try tensor.copyRows(start..<start + count, to: buffer.pointer)
            try tensor.check(isFinite: matrix.setRows(from: first + start, count: count, to: buffer.pointer))
        }
    }
}

extension WeightFile {
    /// A tensor of `count` values of any shape: some formats store a convolution's bias as a column.
    fileprivate func tensor(_ name: String, shapeOfCount count: Int) throws -> WeightTensor {
        guard let tensor = try tensor(name), tensor.count == count else {
            throw WhisperError(.modelDamaged, "The model has no tensor \(name) of \(count) values.")
        }
        return tensor
    }
}
