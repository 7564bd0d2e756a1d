/// A value in a GGUF file; texts and lists are places in the file.
///
/// ```
/// type: 0 u8 · 1 i8 · 2 u16 · 3 i16 · 4 u32 · 5 i32 · 6 f32 · 7 truth (a byte, 0 or 1) · 8 text · 9 list · 10 u64 · 11 i64 · 12 f64
/// text: u64 bytes · UTF-8
/// list: u32 type · u64 items · the items
/// ```
enum GGUFValue {
    case integer(Int)
    /// Also a whole number that ``integer(_:)`` cannot hold.
    case number(Double)
    case flag(Bool)
    case text(Range<Int>)
    case list(GGUFList)

    /// Reads a type and a value.
    ///
    /// - Throws: `modelDamaged`.
    init(_ reader: inout LittleEndianReader, name: String) throws {
        let type = try reader.next(UInt32.self)
        guard let type = GGUFType(rawValue: type) else { throw reader.damaged("the value \(name) has type \(type)") }
        self = try type.next(&reader, depth: 0)
    }
}

/// The types of values.
enum GGUFType: UInt32 {
    case uint8, int8, uint16, int16, uint32, int32, float32, flag, text, list, uint64, int64, float64

    /// The lists within a list.
    private static let deepest = 4

    /// The bytes of a value; nil for texts and lists, whose sizes differ.
    var size: Int? {
        switch self {
        case .uint8, .int8, .flag: 1
        case .uint16, .int16: 2
        case .uint32, .int32, .float32: 4
        case .uint64, .int64, .float64: 8
        case .text, .list: nil
        }
    }

    /// Reads a value of this type.
    ///
    /// - Parameter depth: The number of lists that it is in.
    func next(_ reader: inout LittleEndianReader, depth: Int) throws -> GGUFValue {
        switch self {
        case .uint8: return .integer(Int(try reader.next(UInt8.self)))
        case .int8: return .integer(Int(try reader.next(Int8.self)))
        case .uint16: return .integer(Int(try reader.next(UInt16.self)))
        case .int16: return .integer(Int(try reader.next(Int16.self)))
        case .uint32: return .integer(Int(try reader.next(UInt32.self)))
        case .int32: return .integer(Int(try reader.next(Int32.self)))
        case .int64: return .integer(Int(try reader.next(Int64.self)))
        case .uint64:
            let number = try reader.next(UInt64.self)
            return Int(exactly: number).map(GGUFValue.integer) ?? .number(Double(number))
        case .float32: return .number(Double(Float(bitPattern: try reader.next(UInt32.self))))
        case .float64: return .number(Double(bitPattern: try reader.next(UInt64.self)))
        case .flag:
            let byte = try reader.next(UInt8.self)
            guard byte < 2 else { throw reader.damaged("a truth value is \(byte)") }
            return .flag(byte == 1)
        case .text: return .text(try reader.skip(GGUFFile.size(&reader)))
        case .list:
            guard depth < Self.deepest else { throw reader.damaged("it has lists in lists in lists") }
            return .list(try GGUFList(&reader, depth: depth + 1))
        }
    }
}

/// The place of a list in the file.
struct GGUFList {
    let type: GGUFType
    let count: Int
    /// The items, without the type and their number.
    let place: Range<Int>

    /// Skips a list, checking that all items are in the file.
    init(_ reader: inout LittleEndianReader, depth: Int) throws {
        let code = try reader.next(UInt32.self)
        guard let type = GGUFType(rawValue: code) else { throw reader.damaged("a list has items of type \(code)") }
        self.type = type
        count = try GGUFFile.size(&reader)
        let start = reader.position
        if let size = type.size {
            // A number of items beyond the file cannot overflow here.
            guard count <= reader.remaining / size else {
                throw reader.damaged("a list of \(count) items is truncated")
            }
            place = try reader.skip(count * size)
        } else {
            for _ in 0..<count { _ = try type.next(&reader, depth: depth) }
            place = start..<reader.position
        }
    }

    /// The items, if all are whole numbers.
    func integers(_ bytes: UnsafeRawBufferPointer) -> [Int]? {
        var numbers: [Int] = []
        numbers.reserveCapacity(count)
        return each(bytes) { value in
            guard case .integer(let number) = value else { return false }
            numbers.append(number)
            return true
        } ? numbers : nil
    }

    /// The items, if all are texts that are not longer than a token can be.
    func texts(_ bytes: UnsafeRawBufferPointer) -> [String]? {
        var texts: [String] = []
        texts.reserveCapacity(count)
        return each(bytes) { value in
            guard case .text(let range) = value, range.count <= WeightLimits.tokenBytes else { return false }
            let start = place.lowerBound
            texts.append(String(decoding: bytes[start + range.lowerBound..<start + range.upperBound], as: UTF8.self))
            return true
        } ? texts : nil
    }

    /// Passes each item to `body` until it returns false; texts and lists are places in this list.
    private func each(_ bytes: UnsafeRawBufferPointer, _ body: (GGUFValue) -> Bool) -> Bool {
        var reader = LittleEndianReader(UnsafeRawBufferPointer(rebasing: bytes[place]), file: "")
        for _ in 0..<count {
            // The initializer has read them all before.
            guard let value = try? type.next(&reader, depth: 0), body(value) else { return false }
        }
        return true
    }
}
