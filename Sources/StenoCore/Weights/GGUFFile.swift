/// A model file in GGUF: named values that describe the model, and its tensors.
///
/// ```
/// "GGUF" · u32 version (2 or 3) · u64 tensors · u64 values · the values · the tensors' descriptions · zeros · their values
/// each value: text name · u32 type · the value (``GGUFValue``)
/// each description: text name · u32 rank · u64 dimension[rank], the fastest first · u32 type · u64 offset
/// text: u64 bytes · UTF-8
/// ```
/// Little-endian and without gaps up to the zeros, after which each tensor begins at a multiple of the alignment: that of
/// `general.alignment`, or 32. Texts, lists and tensors stay in the file until they are asked for, so that what a damaged
/// file says about their number takes no memory.
package struct GGUFFile: Sendable {
    /// The path of the file.
    package let path: String
    /// The size of the file in bytes.
    package var byteCount: Int { file.bytes.count }

    private let file: MappedFile
    private let values: [String: GGUFValue]
    private let tensors: [String: Description]
    /// Where the tensors' values begin.
    private let start: Int
    private let alignment: Int

    /// A tensor as the file describes it, in any type, supported or not.
    private struct Description {
        var shape: [Int]
        var type: Int
        var offset: Int
    }

    /// Opens a file and reads everything but texts, lists and the tensors' values.
    ///
    /// - Throws: `modelNotFound`, `modelDamaged`; `modelUnsupported` for another version or byte order.
    package init(path: String) throws {
        self.path = path
        file = try MappedFile(path: path)
        var reader = LittleEndianReader(file.bytes, file: path)
        let counts = try Self.counts(&reader, path)
        values = try Self.values(counts.values, &reader)
        tensors = try Self.descriptions(counts.tensors, &reader)
        alignment = try Self.alignment(values["general.alignment"], reader)
        start = (reader.position + alignment - 1) / alignment * alignment
    }

    /// The tensor with that name; nil if there is none.
    ///
    /// - Throws: `modelUnsupported` if it is in a format that cannot be decoded; `modelDamaged` if its values are missing.
    package func tensor(_ name: String) throws -> WeightTensor? {
        guard let tensor = tensors[name] else { return nil }
        guard let format = try GGMLTensorTable.format(tensor.type, of: name) else {
            throw damaged("the tensor \(name) has type \(tensor.type)")
        }
        guard let byteCount = WeightLimits.byteCount(tensor.shape, format),
            (tensor.shape.last ?? 1).isMultiple(of: format.valuesPerBlock)
        else { throw damaged("the tensor \(name) of shape \(tensor.shape) cannot be stored as \(format.name)") }
        guard start <= file.bytes.count, tensor.offset <= file.bytes.count - start,
            byteCount <= file.bytes.count - start - tensor.offset
        else { throw damaged("it is truncated: it ends before the values of the tensor \(name)") }
        guard tensor.offset.isMultiple(of: alignment) else {
            throw damaged(
                "the values of the tensor \(name) begin at \(tensor.offset), between two multiples of \(alignment)")
        }
        let first = start + tensor.offset
        return WeightTensor(
            name: name, shape: tensor.shape, format: format, file: file, range: first..<first + byteCount)
    }

    package func damaged(_ problem: String) -> StenoError {
        StenoError(.modelDamaged, "\(path) is damaged: \(problem). Download the model again.")
    }
}

// MARK: The values

extension GGUFFile {
    /// A whole number; nil if there is none of that name.
    package func integer(_ name: String) -> Int? {
        guard case .integer(let number)? = values[name] else { return nil }
        return number
    }

    /// A number, whole or not; nil if there is none of that name.
    package func number(_ name: String) -> Double? {
        switch values[name] {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// A truth value; nil if there is none of that name.
    package func flag(_ name: String) -> Bool? {
        guard case .flag(let flag)? = values[name] else { return nil }
        return flag
    }

    /// A text; nil if there is none of that name, or it is longer than `limit` bytes.
    package func text(_ name: String, limit: Int = 65_536) -> String? {
        guard case .text(let range)? = values[name], range.count <= limit else { return nil }
        return String(decoding: file.bytes[range], as: UTF8.self)
    }

    /// A list of whole numbers; nil if there is none of that name, or it has more than `limit`.
    package func integers(_ name: String, limit: Int = 65_536) -> [Int]? {
        guard case .list(let list)? = values[name], list.count <= limit else { return nil }
        return list.integers(file.bytes)
    }

    /// A list of texts; nil if there is none of that name, or it has more than `limit`, or one has too many bytes for a
    /// token.
    package func texts(_ name: String, limit: Int = 65_536) -> [String]? {
        guard case .list(let list)? = values[name], list.count <= limit else { return nil }
        return list.texts(file.bytes)
    }
}

// MARK: Reading

extension GGUFFile {
    /// The bytes at the start of such a file.
    static let magic = Array("GGUF".utf8)

    private static func counts(
        _ reader: inout LittleEndianReader, _ path: String
    ) throws -> (tensors: UInt64, values: UInt64) {
        guard try reader.text(4).utf8.elementsEqual(magic) else {
            throw reader.damaged("it does not begin as a GGUF file")
        }
        let version = try reader.next(UInt32.self)
        guard version == 2 || version == 3 else {
            let found =
                (1...3).contains(version.byteSwapped) ? "has big-endian numbers" : "is of version \(version) of GGUF"
            throw StenoError(
                .modelUnsupported, "\(path) \(found), which is not supported. Convert the model again, to version 3.")
        }
        return (try reader.next(UInt64.self), try reader.next(UInt64.self))
    }

    private static func values(
        _ count: UInt64, _ reader: inout LittleEndianReader
    ) throws -> [String: GGUFValue] {
        guard count <= WeightLimits.tensors else { throw reader.damaged("it has \(count) values") }
        var values: [String: GGUFValue] = [:]
        for _ in 0..<count {
            let name = try name(&reader)
            let value = try GGUFValue(&reader, name: name)
            guard values.updateValue(value, forKey: name) == nil else {
                throw reader.damaged("there are two values \(name)")
            }
        }
        return values
    }

    private static func descriptions(
        _ count: UInt64, _ reader: inout LittleEndianReader
    ) throws -> [String: Description] {
        guard count <= WeightLimits.tensors else { throw reader.damaged("it has \(count) tensors") }
        var tensors: [String: Description] = [:]
        for _ in 0..<count {
            let name = try name(&reader)
            let rank = try reader.next(UInt32.self)
            guard rank <= WeightLimits.rank else { throw reader.damaged("the tensor \(name) has rank \(rank)") }
            let shape = try (0..<rank).map { _ in try size(&reader) }
            let tensor = Description(
                shape: shape.reversed(), type: Int(try reader.next(UInt32.self)), offset: try size(&reader))
            guard tensors.updateValue(tensor, forKey: name) == nil else {
                throw reader.damaged("there are two tensors \(name)")
            }
        }
        return tensors
    }

    private static func name(_ reader: inout LittleEndianReader) throws -> String {
        let length = try size(&reader)
        guard length <= WeightLimits.nameBytes else { throw reader.damaged("a name has \(length) bytes") }
        return try reader.text(length)
    }

    private static func alignment(_ value: GGUFValue?, _ reader: LittleEndianReader) throws -> Int {
        guard let value else { return 32 }
        guard case .integer(let alignment) = value, (1...1 << 20).contains(alignment), alignment & (alignment - 1) == 0
        else { throw reader.damaged("its alignment is not a power of two") }
        return alignment
    }

    /// A number of 64 bits that must be a size.
    static func size(_ reader: inout LittleEndianReader) throws -> Int {
        let number = try reader.next(UInt64.self)
        guard let size = Int(exactly: number) else { throw reader.damaged("it has a size of \(number)") }
        return size
    }
}
