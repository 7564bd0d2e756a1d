extension WeightLoader {
    /// The rows of tensors that are all stored as ternary weights, below each other, as they are stored: a sixteenth of
    /// float32, and exactly the same values.
    ///
    /// - Parameter scale: The weights are multiplied by this.
    /// - Returns: Nil if a tensor is missing or in another format, or if the model computes in float32.
    package func ternaryMatrix(_ names: [String], shape: [Int], scale: Float = 1) throws -> PackedMatrix? {
        let isTernary = try precision == .int8 && names.allSatisfy { try model.tensor($0)?.format == .ternary }
        guard isTernary else { return nil }
        let rows = shape[0], inputs = shape.dropFirst().reduce(1, *)
        let tensors = try names.map { try claim($0, shape: shape) }
        let matrix = try PackedMatrix(ternaryOutputs: rows * names.count, inputs: inputs)
        precondition(names.count == 1 || rows % matrix.rowAlignment == 0, "stacked tensors have whole panels")
        for (index, tensor) in tensors.enumerated() {
            let step = min(Self.rows(tensor, values: Self.partNumbers, matrix), rows)
            let weights = UnsafeMutablePointer<Int8>.allocate(capacity: max(step * inputs, 1))
            defer { weights.deallocate() }
            try eachPart(of: tensor, rows: step) { part in
                try tensor.decodeTernary(part, to: weights)
                let scales = (tensor.scales(of: part) ?? []).map { scale * $0 }
                try tensor.check(
                    isFinite: matrix.setRows(
                        from: index * rows + part.lowerBound, count: part.count, toTernary: weights, scales: scales))
            }
        }
        return matrix
    }
}
