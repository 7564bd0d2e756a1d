/// A CTranslate2 `model.bin`, as `ct2-transformers-converter` writes it.
///
/// Little-endian, nothing aligned:
/// ```
/// u32 version (2 … 6) · str "WhisperSpec" · u32 revision · u32 number of variables
/// each: str name · u8 rank · u32 dimension[rank] · u8 type · u32 bytes · the values, row-major
/// u32 number of aliases · each: str alias · str target          (version 3 and later)
/// str: u16 length with its NUL · bytes · NUL
/// type: 0 float32, 1 int8, 2 int16, 3 int32, 4 float16, 5 bfloat16; version 3 and before have u8 item size · u32 items
/// ```
/// An int8 matrix `X` has a float32 companion `X_scale` with one scale a row.
package struct CTranslate2File: Sendable {
    /// The newest version of the format that this reader knows.
    package static let newestVersion = 6

    package let version: Int
    package let file: MappedFile
    private(set) var variables: [String: WeightTensor] = [:]
    private var aliases: [String: String] = [:]

    /// Reads the table of variables of the file at a path; the values stay where they are.
    package init(path: String) throws {
        file = try MappedFile(path: path)
        var reader = ByteReader(file.bytes, file: path)
        version = Int(try reader.next(UInt32.self))
        guard (2...Self.newestVersion).contains(version) else {
            throw StenoError(
                .modelUnsupported,
                "\(path) is not a CTranslate2 model of versions 2 to \(Self.newestVersion). Convert the model with a current ct2-transformers-converter."
            )
        }
        let specification = try reader.nextString()
        guard specification == "WhisperSpec" else {
            throw StenoError(.modelUnsupported, "\(path) holds a \(specification.prefix(40)), not a Whisper model.")
        }
        _ = try reader.next(UInt32.self)
        for _ in 0..<(try reader.next(UInt32.self)) { try readVariable(&reader) }
        guard version >= 3 else { return }
        for _ in 0..<(try reader.next(UInt32.self)) {
            let alias = try reader.nextString()
            aliases[alias] = try reader.nextString()
        }
    }

    private mutating func readVariable(_ reader: inout ByteReader) throws {
        let name = try reader.nextString()
        var shape: [Int] = []
        var count = 1
        for _ in 0..<(try reader.next(UInt8.self)) {
            let dimension = Int(try reader.next(UInt32.self))
            let (product, overflow) = count.multipliedReportingOverflow(by: dimension)
            // An empty dimension would hide any size of the others.
            guard dimension > 0 else { throw reader.damaged("the tensor \(name) is empty") }
            guard !overflow else { throw reader.damaged("the tensor \(name) is larger than any file") }
            shape.append(dimension)
            count = product
        }
        let (type, byteCount) = try readType(&reader, name: name)
        let (expected, overflow) = count.multipliedReportingOverflow(by: type.size)
        guard !overflow, byteCount == expected else {
            throw reader.damaged("the tensor \(name) of shape \(shape) claims \(byteCount) bytes")
        }
        let range = try reader.skip(byteCount)
        variables[name] = WeightTensor(name: name, shape: shape, type: type, file: file, range: range)
    }

    private func readType(_ reader: inout ByteReader, name: String) throws -> (ElementType, Int) {
        let code = try reader.next(UInt8.self)
        let size = Int(try reader.next(UInt32.self))
        if version < 4 {
            let types: [UInt8: ElementType] = [4: .float32, 2: .int16, 1: .int8]
            guard let type = types[code] else { throw reader.damaged("the tensor \(name) has items of \(code) bytes") }
            return (type, size * type.size)
        }
        let types: [ElementType] = [.float32, .int8, .int16, .int32, .float16, .bfloat16]
        guard code < types.count else { throw reader.damaged("the tensor \(name) has the unknown type \(code)") }
        return (types[Int(code)], size)
    }

    /// The variable of that name or alias, with its scales when it is int8.
    package func variable(_ name: String) throws -> WeightTensor? {
        let target = aliases[name] ?? name
        guard let tensor = variables[target] else { return nil }
        guard tensor.type == .int8, let rows = tensor.shape.first else { return tensor }
        guard let scale = variables[target + "_scale"] else { return tensor }
        guard scale.type == .float32, scale.count == rows else {
            throw StenoError(.modelDamaged, "The model's scales \(scale.name) do not fit \(name).")
        }
        var scales = [Float](repeating: 0, count: rows)
        try scales.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            try scale.copyRows(0..<rows, to: base)
        }
        guard scales.allSatisfy({ $0.isFinite && $0 > 0 }) else {
            throw StenoError(.modelDamaged, "The model's scales \(scale.name) are not positive numbers.")
        }
        return WeightTensor(tensor, name: name, scales: scales)
    }

    /// An attribute: a tensor of one whole number.
    package func attribute(_ name: String) -> Int? {
        guard let tensor = variables[aliases[name] ?? name], tensor.count == 1 else { return nil }
        switch tensor.type {
        case .int8: return Int(tensor.bytes.loadUnaligned(as: Int8.self))
        case .int16: return Int(Int16(littleEndian: tensor.bytes.loadUnaligned(as: Int16.self)))
        case .int32: return Int(Int32(littleEndian: tensor.bytes.loadUnaligned(as: Int32.self)))
        case .float32, .float16, .bfloat16: return nil
        }
    }
}
