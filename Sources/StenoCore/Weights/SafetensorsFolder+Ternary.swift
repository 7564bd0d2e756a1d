extension SafetensorsFolder {
    /// A ternary matrix: the bytes of `<module>.qweight` (``TernaryPacking``) and `<module>.scales`, weight = scale ·
    /// number.
    ///
    /// - Parameters:
    ///   - name: The name of the tensor.
    ///   - shape: Its shape, [rows, columns, 1 …], which the file does not have.
    /// - Throws: `modelDamaged` if the bytes or the scales are missing or of another shape, or if a scale is not finite.
    package func ternaryTensor(_ module: String, name: String, shape: [Int]) throws -> WeightTensor {
        let rows = shape[0], columns = shape.dropFirst().reduce(1, *)
        guard let bytes = try packed(module + ".qweight", as: .ternary, name: name, shape: shape) else {
            throw StenoError(
                .modelDamaged, "The model has no tensor \(module).qweight of ternary weights. Download the model again."
            )
        }
        let scales = try tensor(module + ".scales"), groups = TernaryPacking.groups(ofRow: columns)
        guard let scales, scales.shape == [rows, groups] else {
            throw StenoError(
                .modelDamaged,
                "The model's tensor \(module).qweight is ternary, but \(module).scales has not a scale for each group of "
                    + "\(TernaryPacking.groupSize) of its \(columns) weights a row: \(groups) for each of \(rows) rows. "
                    + "Download the model again.")
        }
        return WeightTensor(bytes, name: name, scales: try scales.floats().array)
    }
}
