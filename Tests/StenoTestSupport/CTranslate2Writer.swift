public import Foundation

/// The storage formats that `ct2-transformers-converter` writes.
public enum StoredPrecision: String, Sendable, CaseIterable {
    case float32, float16, bfloat16, int8
}

extension RandomModel {
    /// Writes the model as a CTranslate2 directory; `model.bin` is byte-identical to the converter's (4.8.5).
    public func writeCTranslate2(to folder: URL, precision: StoredPrecision = .float32) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent("model.bin")
        try Data().write(to: url)
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        try serialize(precision: precision) { try file.write(contentsOf: $0) }
        try writeTexts(to: folder)
    }

    /// Passes on the bytes of `model.bin` in parts, so that a test can hash them without a file.
    public func serialize(precision: StoredPrecision, to put: (Data) throws -> Void) throws {
        let tensors = storedTensors()
        let scales = precision == .int8 ? tensors.keys.filter { $0.hasSuffix("/weight") }.count : 0
        let file = ModelBinary([])
        try put(file.start(count: tensors.count + storedScalars().count + scales))
        try forEachVariable(precision) { try put(file.header(of: $0) + $0.data) }
        try put(le(UInt32(1)) + ModelBinary.text(Self.alias.alias) + ModelBinary.text(Self.alias.target))
    }

    /// The output matrix is the embedding.
    static let alias = (alias: "decoder/projection/weight", target: "decoder/embeddings/weight")

    /// Passes on the variables of the file in their order.
    func forEachVariable(
        _ precision: StoredPrecision, _ body: (ModelBinary.Variable) throws -> Void
    ) rethrows {
        let (tensors, scalars) = (storedTensors(), storedScalars())
        for name in (Array(tensors.keys) + Array(scalars.keys)).sorted() {
            if let scalar = scalars[name] {
                try body(ModelBinary.Variable(name, [], kind: scalar.count == 1 ? 1 : 2, data: scalar))
            }
            guard let tensor = tensors[name] else { continue }
            let values = tensor.parts.flatMap { $0.values(self) }
            func variable(_ kind: UInt8, _ data: Data) -> ModelBinary.Variable {
                ModelBinary.Variable(name, tensor.dimensions.map(UInt32.init), kind: kind, data: data)
            }
            switch precision {
            case .int8 where name.hasSuffix("/weight"):
                let (rows, scales) = quantizedRows(values, count: tensor.dimensions[0])
                try body(variable(1, bytes(rows)))
                try body(ModelBinary.Variable(name + "_scale", [UInt32(scales.count)], floats: scales))
            case .float32, .int8: try body(variable(0, bytes(values)))
            case .float16: try body(variable(4, bytes(values.map(float16Bits))))
            case .bfloat16: try body(variable(5, bytes(values.map(bfloat16Bits))))
            }
        }
    }
}

/// The bytes of a number, the lowest first.
public func le<Value: FixedWidthInteger>(_ value: Value) -> Data {
    withUnsafeBytes(of: value.littleEndian) { Data($0) }
}

private func bytes<Value>(_ values: [Value]) -> Data {
    values.withUnsafeBytes { Data($0) }
}
