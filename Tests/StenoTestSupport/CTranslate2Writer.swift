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
        let scalars = storedScalars()
        let scales = precision == .int8 ? tensors.keys.filter { $0.hasSuffix("/weight") }.count : 0
        try put(
            le(UInt32(6)) + text("WhisperSpec") + le(UInt32(3)) + le(UInt32(tensors.count + scalars.count + scales)))
        for name in (Array(tensors.keys) + Array(scalars.keys)).sorted() {
            if let scalar = scalars[name] {
                try put(header(name, [], kind: scalar.count == 1 ? 1 : 2, size: scalar.count) + scalar)
            } else if let tensor = tensors[name] {
                try write(tensor, name, precision, to: put)
            }
        }
        try put(le(UInt32(1)) + text("decoder/projection/weight") + text("decoder/embeddings/weight"))
    }

    private func write(
        _ tensor: StoredTensor, _ name: String, _ precision: StoredPrecision, to put: (Data) throws -> Void
    ) throws {
        let values = tensor.parts.flatMap { $0.values(self) }
        let dimensions = tensor.dimensions
        switch precision {
        case .int8 where name.hasSuffix("/weight"):
            let (rows, scales) = quantizedRows(values, count: dimensions[0])
            try put(header(name, dimensions, kind: 1, size: rows.count) + bytes(rows))
            try put(header(name + "_scale", [scales.count], kind: 0, size: 4 * scales.count) + bytes(scales))
        case .float32, .int8:
            try put(header(name, dimensions, kind: 0, size: 4 * values.count) + bytes(values))
        case .float16:
            try put(header(name, dimensions, kind: 4, size: 2 * values.count) + bytes(values.map(float16Bits)))
        case .bfloat16:
            try put(header(name, dimensions, kind: 5, size: 2 * values.count) + bytes(values.map(bfloat16Bits)))
        }
    }

    private func header(_ name: String, _ dimensions: [Int], kind: UInt8, size: Int) -> Data {
        dimensions.reduce(text(name) + [UInt8(dimensions.count)]) { $0 + le(UInt32($1)) } + [kind] + le(UInt32(size))
    }

    private func text(_ string: String) -> Data {
        le(UInt16(string.utf8.count + 1)) + Data(string.utf8) + [0]
    }
}

/// The bytes of a number, the lowest first.
public func le<Value: FixedWidthInteger>(_ value: Value) -> Data {
    withUnsafeBytes(of: value.littleEndian) { Data($0) }
}

private func bytes<Value>(_ values: [Value]) -> Data {
    values.withUnsafeBytes { Data($0) }
}
