extension WeightLoader {
    /// A matrix whose rows are rearranged or scaled while they are read.
    ///
    /// - Parameters:
    ///   - name: The tensor; its first index becomes the matrix's rows.
    ///   - shape: Its shape.
    ///   - inputs: The columns of the matrix.
    ///   - precision: The matrix's precision; nil is the model's.
    ///   - rearrange: Writes a row of the matrix from a row of the tensor.
    package func matrix(
        _ name: String, shape: [Int], inputs: Int, precision: Precision? = nil,
        rearrange: (_ row: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>) -> Void
    ) throws -> PackedMatrix {
        let tensor = try claim(name, shape: shape)
        let matrix = try PackedMatrix(outputs: tensor.rows, inputs: inputs, precision: precision ?? self.precision)
        let step = Self.rows(tensor, values: Self.partFloats, matrix)
        let values = try ScratchBuffer(count: step * tensor.rowCount)
        let turned = try ScratchBuffer(count: step * inputs)
        try eachPart(of: tensor, rows: step) { rows in
            try tensor.decodeRows(rows, to: values.pointer)
            for row in 0..<rows.count {
                rearrange(values.pointer + row * tensor.rowCount, turned.pointer + row * inputs)
            }
            try tensor.check(isFinite: matrix.setRows(from: rows.lowerBound, count: rows.count, to: turned.pointer))
        }
        return matrix
    }

    /// All values of a tensor; nil if there is none of that name.
    package func values(_ name: String, shape: [Int]) throws -> FloatBuffer? {
        guard try model.tensor(name) != nil else { return nil }
        return try floats(claim(name, shape: shape))
    }

    /// All values of a tensor, or zeros if there is none of that name: a bias that a model may lack.
    package func valuesOrZeros(_ name: String, shape: [Int]) throws -> FloatBuffer {
        try values(name, shape: shape) ?? FloatBuffer(count: shape.reduce(1, *)) { _ in }
    }
}
