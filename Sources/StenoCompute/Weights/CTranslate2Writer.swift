package import StenoCore

/// Writes a CTranslate2 `model.bin` of version 6, as ``CTranslate2File`` reads it and `ct2-transformers-converter`
/// writes it, byte for byte.
///
/// Memory holds a few rows of one tensor at a time.
package struct CTranslate2Writer {
    /// A variable with one number.
    package enum Attribute: Sendable {
        case flag(Int8)
        case number(Int16)
    }

    /// The name and revision of the kind of model, such as `WhisperSpec` and 3.
    package var specification: (name: String, revision: UInt32)
    /// The variables with one number, by name.
    package var attributes: [String: Attribute]
    /// All other variables, by name; those whose name ends in `/weight` are the matrices.
    package var tensors: [String: StackedTensor]
    package var aliases: [String: String]

    /// Creates a writer; all but the first of equal tensors become aliases.
    package init(
        specification: (name: String, revision: UInt32), attributes: [String: Attribute],
        tensors: [String: StackedTensor], aliases: [String: String]
    ) throws {
        let duplicates = try StackedTensor.duplicates(in: tensors)
        (self.specification, self.attributes) = (specification, attributes)
        self.tensors = tensors.filter { duplicates[$0.key] == nil }
        self.aliases = aliases.mapValues { duplicates[$0] ?? $0 }.merging(duplicates) { $1 }
    }

    /// - Parameter onProgress: Called after every few rows; an error it throws stops the writing.
    /// - Throws: `modelDamaged`, `modelUnsupported` for a weight that float16 cannot hold, `outputFailed`.
    package func write(
        to file: FileWriter, precision: ConversionPrecision, onProgress: (ConversionProgress) throws -> Void
    ) throws {
        var progress = ConversionProgress(
            tensors: 0, tensorCount: tensors.count, bytes: 0, byteCount: byteCount(in: precision))
        let scales = precision == .int8 ? tensors.keys.count(where: Self.isMatrix) : 0
        try file.write(UInt32(CTranslate2File.newestVersion))
        try write(specification.name, to: file)
        try file.write(specification.revision)
        try file.write(UInt32(attributes.count + tensors.count + scales))
        for name in (Array(attributes.keys) + Array(tensors.keys)).sorted() {
            if let attribute = attributes[name] {
                try write(attribute, name, to: file)
            } else if let tensor = tensors[name] {
                try write(tensor, name, precision, to: file) {
                    progress.bytes = file.byteCount
                    try onProgress(progress)
                }
                progress.tensors += 1
            }
        }
        try file.write(UInt32(aliases.count))
        for (alias, target) in aliases.sorted(by: { $0.key < $1.key }) {
            try write(alias, to: file)
            try write(target, to: file)
        }
    }

    private static func isMatrix(_ name: String) -> Bool { name.hasSuffix("/weight") }

    private func byteCount(in precision: ConversionPrecision) -> Int {
        tensors.reduce(0) { sum, entry in
            let (name, tensor) = entry
            let scales = precision == .int8 && Self.isMatrix(name) ? tensor.rows * MemoryLayout<Float>.size : 0
            return sum + tensor.count * Self.format(of: tensor, name, precision).bytesPerBlock + scales
        }
    }

    private static func format(
        of tensor: StackedTensor, _ name: String, _ precision: ConversionPrecision
    ) -> StorageFormat {
        precision.format(stored: tensor.format, isMatrix: isMatrix(name))
    }
}

// MARK: The variables

extension CTranslate2Writer {
    private func write(_ text: String, to file: FileWriter) throws {
        try file.write(UInt16(text.utf8.count + 1))
        try file.write(Array(text.utf8) + [0])
    }

    private func writeHeader(
        _ name: String, _ shape: [Int], _ format: StorageFormat, size: Int, to file: FileWriter
    ) throws {
        guard let code = CTranslate2File.formats.firstIndex(of: format), let size = UInt32(exactly: size) else {
            throw StenoError(
                .modelUnsupported,
                "The tensor \(name) is too large for CTranslate2's format. Use the model in its own format.")
        }
        try write(name, to: file)
        try file.write(UInt8(shape.count))
        for dimension in shape { try file.write(UInt32(dimension)) }
        try file.write(UInt8(code))
        try file.write(size)
    }

    private func write(_ attribute: Attribute, _ name: String, to file: FileWriter) throws {
        switch attribute {
        case .flag(let value):
            try writeHeader(name, [], .int8, size: 1, to: file)
            try file.write(value)
        case .number(let value):
            try writeHeader(name, [], .int16, size: 2, to: file)
            try file.write(value)
        }
    }

    private func write(
        _ tensor: StackedTensor, _ name: String, _ precision: ConversionPrecision, to file: FileWriter,
        onPart: () throws -> Void
    ) throws {
        let format = Self.format(of: tensor, name, precision)
        try writeHeader(name, tensor.shape, format, size: tensor.count * format.bytesPerBlock, to: file)
        var scales: [Float] = []
        try tensor.eachPart { rows, values in
            guard format == .int8 else {
                let count = rows.count * tensor.rowCount
                try file.write(WeightEncoding.bytes(values, count: count, in: format, tensor: name))
                return try onPart()
            }
            scales += (0..<rows.count).map {
                WeightEncoding.scale(ofRow: values + $0 * tensor.rowCount, count: tensor.rowCount)
            }
            let numbers = WeightEncoding.numbers(values, rowCount: tensor.rowCount, scales: scales.suffix(rows.count))
            try numbers.withUnsafeBytes { try file.write($0) }
            try onPart()
        }
        guard format == .int8 else { return }
        try writeHeader(name + "_scale", [scales.count], .float32, size: 4 * scales.count, to: file)
        try scales.withUnsafeBytes { try file.write($0) }
    }
}
