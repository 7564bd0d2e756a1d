package import StenoCore

/// A tensor in a file; nothing is read until its values are requested.
package struct WeightTensor: Sendable {
    package let name: String
    /// Row-major; the last index varies fastest.
    package let shape: [Int]
    package let format: StorageFormat
    /// The scales of int8 rows, weight = number / scale.
    package let scales: [Float]?
    private let file: ModelFile
    private let range: Range<Int>

    /// Creates a tensor in `range` of the file, which the caller has checked against the shape and the block size.
    package init(
        name: String, shape: [Int], format: StorageFormat, scales: [Float]? = nil, file: ModelFile, range: Range<Int>
    ) {
        (self.name, self.shape, self.format) = (name, shape, format)
        (self.scales, self.file, self.range) = (scales, file, range)
    }

    /// The same bytes under another name, with scales.
    package init(_ tensor: WeightTensor, name: String, scales: [Float]) {
        self.init(
            name: name, shape: tensor.shape, format: tensor.format, scales: scales, file: tensor.file,
            range: tensor.range)
    }

    package var count: Int { shape.reduce(1, *) }

    /// The number of rows; a single number is one row.
    package var rows: Int { shape.first ?? 1 }

    /// The number of values per row (over all but the first index).
    package var rowCount: Int { shape.dropFirst().reduce(1, *) }

    private var rowBytes: Int { format.byteCount(ofRow: rowCount) ?? 0 }

    package var byteCount: Int { range.count }

    package func bytes(of rows: Range<Int>) throws -> [UInt8] { try file.bytes(place(of: rows)) }

    func load<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) throws -> Number {
        let bytes = try file.bytes(range.lowerBound..<range.lowerBound + MemoryLayout<Number>.size)
        return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
    }

    package func rows(_ rows: Range<Int>, name: String) -> WeightTensor {
        WeightTensor(
            name: name, shape: [rows.count] + shape.dropFirst(), format: format,
            scales: scales.map { Array($0[rows]) }, file: file, range: place(of: rows))
    }

    private func place(of rows: Range<Int>) -> Range<Int> {
        range.lowerBound + rows.lowerBound * rowBytes..<range.lowerBound + rows.upperBound * rowBytes
    }
}

extension WeightTensor {
    /// Decodes the values of some rows to float32 in `values`, which must have room for them.
    ///
    /// - Throws: `modelDamaged` if a value is infinite or NaN, if scales are missing, or if there are fewer rows;
    ///   `modelUnsupported` for integers that are not weights.
    package func copyRows(_ rows: Range<Int>, to values: UnsafeMutablePointer<Float>) throws {
        try decodeRows(rows, to: values)
        try check(isFinite: NumberConversion.areFinite(values, count: rows.count * rowCount))
    }

    /// The same as ``copyRows(_:to:)`` for values that a matrix will check when they are packed.
    package func decodeRows(_ rows: Range<Int>, to values: UnsafeMutablePointer<Float>) throws {
        try ensure(
            rows.lowerBound >= 0 && rows.upperBound <= self.rows, or: .modelDamaged,
            "The model's tensor \(name) has \(self.rows) rows, but \(rows.upperBound) are needed. "
                + "Download or convert the model again.")
        switch format {
        case .int8:
            let scales = try unwrap(
                scales, or: .modelDamaged,
                "The model's tensor \(name) is stored as int8 but has no scales. Convert the model again.")
            try decode(rows, to: values)
            for (index, row) in rows.enumerated() {
                let start = values + index * rowCount
                for column in 0..<rowCount { start[column] /= scales[row] }
            }
        case .int16, .int32:
            throw StenoError(
                .modelUnsupported,
                "The model's tensor \(name) is stored as \(format.name), which is not supported. "
                    + "Convert the model with int8, float16 or float32.")
        case .float32, .float16, .bfloat16, .q4_0, .q4_1, .q5_0, .q5_1, .q8_0: try decode(rows, to: values)
        }
    }

    private func decode(_ rows: Range<Int>, to values: UnsafeMutablePointer<Float>) throws {
        try bytes(of: rows).withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            format.decode(start, count: rows.count * rowCount, into: values)
        }
    }

    package func floats() throws -> FloatBuffer { try FloatBuffer(count: count) { try copyRows(0..<rows, to: $0) } }

    package func check(isFinite: Bool) throws {
        guard isFinite else { throw notFinite }
    }

    package var notFinite: StenoError {
        StenoError(
            .modelDamaged,
            "The model's tensor \(name) has values that are infinite or not a number. Download or convert the model again."
        )
    }
}
