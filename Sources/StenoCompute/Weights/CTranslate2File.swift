package import StenoCore

/// A CTranslate2 `model.bin`, as `ct2-transformers-converter` writes it.
///
/// Little-endian and unaligned:
/// ```
/// u32 version (2 … 6) · str kind, as "WhisperSpec" · u32 revision · u32 number of variables
/// each: str name · u8 rank · u32 dimension[rank] · u8 type · u32 bytes · the values, row-major
/// u32 number of aliases · each: str alias · str target          (version 3 and later)
/// str: u16 length with its NUL · bytes · NUL
/// type: 0 float32, 1 int8, 2 int16, 3 int32, 4 float16, 5 bfloat16; version 3 and before have u8 item size · u32 items
/// ```
/// An int8 matrix `X` has a float32 companion `X_scale` with one scale for each row.
package struct CTranslate2File: Sendable {
    /// The newest version of the format that this reader knows.
    package static let newestVersion = 6

    /// The formats by their type codes, from version 4 on.
    static let formats: [StorageFormat] = [.float32, .int8, .int16, .int32, .float16, .bfloat16]

    package let version: Int
    package let file: ModelFile
    private(set) var variables: [String: WeightTensor] = [:]
    private var aliases: [String: String] = [:]

    /// Reads the variable table of the file at a path; the values stay in the file.
    ///
    /// - Parameter kind: The required kind of model, such as `WhisperSpec`.
    package init(path: String, kind: String) throws {
        file = try ModelFile(path: path)
        var reader = LittleEndianReader(file, path: path)
        let found: String
        (version, found) = try Self.header(&reader, path: path)
        try ensure(
            found == kind, or: .modelUnsupported,
            "\(path) holds a \(found.prefix(40)), not a \(kind). Choose another model.")
        _ = try reader.next(UInt32.self)
        for _ in 0..<(try Self.tableCount(&reader)) { try readVariable(&reader) }
        guard version >= 3 else { return }
        for _ in 0..<(try Self.tableCount(&reader)) {
            let alias = try Self.string(&reader)
            aliases[alias] = try Self.string(&reader)
        }
    }

    /// The kind of model that the file at a path declares, such as `WhisperSpec`; nil if it is not such a file.
    package static func kind(path: String) -> String? {
        guard let file = try? ModelFile(path: path) else { return nil }
        var reader = LittleEndianReader(file, path: path)
        return try? header(&reader, path: path).kind
    }

    private static func header(
        _ reader: inout LittleEndianReader, path: String
    ) throws -> (version: Int, kind: String) {
        let version = Int(try reader.next(UInt32.self))
        try ensure(
            (2...newestVersion).contains(version), or: .modelUnsupported,
            "\(path) is not a CTranslate2 model of versions 2 to \(newestVersion). Convert the model with a current "
                + "ct2-transformers-converter.")
        return (version, try string(&reader))
    }

    private static func tableCount(_ reader: inout LittleEndianReader) throws -> Int {
        let count = Int(try reader.next(UInt32.self))
        guard count <= WeightLimits.tensors else { throw reader.damaged("it claims \(count) tensors") }
        return count
    }

    /// A string: its length is 16 bits and includes the NUL at its end.
    private static func string(_ reader: inout LittleEndianReader) throws -> String {
        let length = Int(try reader.next(UInt16.self))
        guard length > 0 else { throw reader.damaged("a name has no length") }
        let text = try reader.text(length - 1)
        _ = try reader.skip(1)
        return text
    }

    private mutating func readVariable(_ reader: inout LittleEndianReader) throws {
        let name = try Self.string(&reader)
        let rank = Int(try reader.next(UInt8.self))
        guard rank <= WeightLimits.rank else { throw reader.damaged("the tensor \(name) has rank \(rank)") }
        let shape = try (0..<rank).map { _ in Int(try reader.next(UInt32.self)) }
        let (format, byteCount) = try readFormat(&reader, name: name)
        try ensure(
            byteCount == WeightLimits.byteCount(shape, format),
            or: reader.damaged("the tensor \(name) of shape \(shape) claims \(byteCount) bytes"))
        let range = try reader.skip(byteCount)
        let tensor = WeightTensor(name: name, shape: shape, format: format, file: file, range: range)
        let earlier = variables.updateValue(tensor, forKey: name)
        try ensure(earlier == nil, or: reader.damaged("there are two tensors \(name)"))
    }

    private func readFormat(_ reader: inout LittleEndianReader, name: String) throws -> (StorageFormat, Int) {
        let code = try reader.next(UInt8.self)
        let size = Int(try reader.next(UInt32.self))
        if version < 4 {
            let formats: [UInt8: StorageFormat] = [4: .float32, 2: .int16, 1: .int8]
            guard let format = formats[code] else {
                throw reader.damaged("the tensor \(name) has items of \(code) bytes")
            }
            return (format, size * format.bytesPerBlock)
        }
        guard code < Self.formats.count else { throw reader.damaged("the tensor \(name) has the unknown type \(code)") }
        return (Self.formats[Int(code)], size)
    }

    /// The variable with that name or alias, with its scales if it is int8.
    package func variable(_ name: String) throws -> WeightTensor? {
        let target = aliases[name] ?? name
        guard let tensor = variables[target] else { return nil }
        guard tensor.format == .int8, let rows = tensor.shape.first else { return tensor }
        guard let scale = variables[target + "_scale"] else { return tensor }
        // One number for each row; with a shape such as [1, rows], the only row would have them all.
        try ensure(
            scale.format == .float32 && scale.rows == rows && scale.count == rows, or: .modelDamaged,
            "The model's scales \(scale.name) do not fit \(name). Download or convert the model again.")
        var scales = [Float](repeating: 0, count: rows)
        try scales.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            try scale.copyRows(0..<rows, to: base)
        }
        // The largest weight is 127 / scale, and an int8 product multiplies by 1 / scale.
        try ensure(
            scales.allSatisfy({ $0.isFinite && $0 > 0 && (127 / $0).isFinite && 1 / $0 > 0 }), or: .modelDamaged,
            "The model's scales \(scale.name) are not positive numbers. Download the model again.")
        return WeightTensor(tensor, name: name, scales: scales)
    }

    /// An attribute: a tensor with one integer.
    package func attribute(_ name: String) throws -> Int? {
        guard let tensor = variables[aliases[name] ?? name], tensor.count == 1 else { return nil }
        switch tensor.format {
        case .int8: return Int(try tensor.load(Int8.self))
        case .int16: return Int(try tensor.load(Int16.self))
        case .int32: return Int(try tensor.load(Int32.self))
        case .float32, .float16, .bfloat16, .q4_0, .q4_1, .q5_0, .q5_1, .q8_0: return nil
        }
    }
}
