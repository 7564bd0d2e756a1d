package import StenoCore

extension WeightLoader {
    /// Copies a row of a tensor to the row that is packed, in another arrangement; what it leaves out is zeros.
    package typealias Arrangement = (_ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>) -> Void

    /// The rows of several tensors of one shape, below each other, each rearranged to `inputs` columns; rows of any
    /// number can be stacked.
    ///
    /// - Parameters:
    ///   - precision: The precision of the matrix; nil is the loader's.
    ///   - arrange: nil copies the rows as they are.
    package func matrix(
        _ names: [String], shape: [Int], inputs: Int, precision: Precision? = nil, arrange: Arrangement? = nil
    ) throws -> PackedMatrix {
        let tensors = try names.map { try claim($0, shape: shape) }
        let (rows, count) = (shape[0], shape.dropFirst().reduce(1, *))
        precondition(arrange != nil || count == inputs, "rows that are not rearranged keep their width")
        let matrix = try PackedMatrix(
            outputs: rows * names.count, inputs: inputs, precision: precision ?? self.precision)
        guard let first = tensors.first else { return matrix }
        let step = Self.rows(first, values: Self.partFloats, matrix)
        let stored = try ScratchBuffer(count: step * count)
        let arranged = try ScratchBuffer(zeros: arrange == nil ? 0 : step * inputs)
        var (packed, waiting) = (0, 0)
        for (index, tensor) in tensors.enumerated() {
            var row = 0
            while row < rows {
                try checkCancellation()
                // Only whole panels can be packed, so a part may end with the first rows of the next tensor.
                let part = row..<min(row + step - waiting, rows)
                try tensor.decodeRows(part, to: stored.pointer + waiting * count)
                row = part.upperBound
                waiting += part.count
                guard waiting == step || index == tensors.count - 1 && row == rows else { continue }
                if let arrange {
                    for row in 0..<waiting { arrange(stored.pointer + row * count, arranged.pointer + row * inputs) }
                }
                let values = arrange == nil ? stored.pointer : arranged.pointer
                try tensor.check(isFinite: matrix.setRows(from: packed, count: waiting, to: values))
                (packed, waiting) = (packed + waiting, 0)
            }
        }
        return matrix
    }

    /// The same for one tensor.
    package func matrix(
        _ name: String, shape: [Int], inputs: Int, precision: Precision? = nil, arrange: Arrangement
    ) throws -> PackedMatrix {
        try withoutActuallyEscaping(arrange) {
            try matrix([name], shape: shape, inputs: inputs, precision: precision, arrange: $0)
        }
    }

    /// A tensor with any shape, as it is stored.
    package func values(_ name: String, shape: [Int]) throws -> FloatBuffer { try floats(claim(name, shape: shape)) }

    /// A convolution over time as a product over `kernel` neighbouring rows: [out, in, kernel] becomes [out, kernel ·
    /// in].
    package func convolution(
        _ module: String, outputs: Int, inputs: Int, kernel: Int, precision: Precision, hasBias: Bool = true
    ) throws -> Linear {
        let matrix = try matrix(
            [module + ".weight"], shape: [outputs, inputs, kernel], inputs: kernel * inputs, precision: precision
        ) { from, to in
            for input in 0..<inputs {
                for tap in 0..<kernel { to[tap * inputs + input] = from[input * kernel + tap] }
            }
        }
        return Linear(matrix: matrix, bias: hasBias ? try values(module + ".bias", shape: [outputs]) : nil)
    }

    /// A tensor with any shape, as it is stored; nil if the model has none of that name.
    package func valuesIfPresent(_ name: String, shape: [Int]) throws -> FloatBuffer? {
        try model.tensor(name) == nil ? nil : values(name, shape: shape)
    }

    /// The same, or zeros: a bias that a model may lack.
    package func valuesOrZeros(_ name: String, shape: [Int]) throws -> FloatBuffer {
        try valuesIfPresent(name, shape: shape) ?? FloatBuffer(count: shape.reduce(1, *)) { _ in }
    }
}
