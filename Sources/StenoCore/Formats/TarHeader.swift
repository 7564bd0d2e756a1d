/// The header of a tar archive's entry.
struct TarHeader {
    /// The size of a header, and of the blocks that contents are padded to.
    static let size = 512

    /// What an entry is.
    enum Kind {
        case file
        /// The name or the link of the next entry, in GNU's way.
        case longName, longLink
        /// Attributes of the next entry, or of all that follow.
        case attributes, sharedAttributes
        /// A folder, a link or a device.
        case other
    }

    let name: String
    let size: Int
    let kind: Kind

    /// Reads a header; nil for the zeros at the end of an archive.
    init?(_ reader: inout LittleEndianReader, of archive: UnsafeRawBufferPointer) throws {
        let block = UnsafeRawBufferPointer(rebasing: archive[try reader.skip(Self.size)])
        guard block.contains(where: { $0 != 0 }) else { return nil }
        guard Self.number(block[148..<156]) == Self.checksum(block) else {
            throw reader.damaged("a header of the archive has a wrong checksum")
        }
        guard let size = Self.number(block[124..<136]) else {
            throw reader.damaged("an entry of the archive has no valid size")
        }
        self.size = size
        let name = Self.text(block[0..<100])
        let hasPrefix = block[257..<263].elementsEqual("ustar\0".utf8)
        let prefix = hasPrefix ? Self.text(block[345..<500]) : ""
        self.name = prefix.isEmpty ? name : prefix + "/" + name
        kind =
            switch block[156] {
            case 0, UInt8(ascii: "0"), UInt8(ascii: "7"): .file
            case UInt8(ascii: "L"): .longName
            case UInt8(ascii: "K"): .longLink
            case UInt8(ascii: "x"): .attributes
            case UInt8(ascii: "g"): .sharedAttributes
            default: .other
            }
    }

    private static func text(_ field: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// A number in octal digits, between spaces or zeros, or in binary; nil if it is neither.
    private static func number(_ field: Slice<UnsafeRawBufferPointer>) -> Int? {
        guard let first = field.first else { return nil }
        if first & 0x80 != 0 {
            // Negative numbers begin with 0xFF.
            guard first == 0x80 else { return nil }
            return field.dropFirst().reduce(into: Int?.some(0)) { value, byte in
                value = value.flatMap { $0 >> 54 == 0 ? $0 << 8 | Int(byte) : nil }
            }
        }
        let digits = field.drop { $0 == UInt8(ascii: " ") }.prefix { $0 != 0 && $0 != UInt8(ascii: " ") }
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }) else { return nil }
        // At most twelve digits, so it cannot overflow.
        return digits.reduce(0) { $0 << 3 | Int($1 - UInt8(ascii: "0")) }
    }

    /// The sum of the header's bytes, with spaces in the place of the checksum.
    private static func checksum(_ block: UnsafeRawBufferPointer) -> Int {
        block.indices.reduce(0) { $0 + Int((148..<156).contains($1) ? UInt8(ascii: " ") : block[$1]) }
    }
}

/// The attributes of an entry that do not fit into its header: lines such as `27 path=a/long/name`, each preceded by
/// its length in bytes.
struct PaxAttributes {
    private(set) var path: String?
    private(set) var size: Int?

    /// Reads the attributes; those other than the name and the size are skipped.
    init(_ bytes: Slice<UnsafeRawBufferPointer>, _ reader: LittleEndianReader) throws {
        guard bytes.count <= Self.longest else {
            throw reader.damaged("an entry has \(bytes.count) bytes of attributes")
        }
        var rest = bytes
        while let first = rest.first, first != 0 {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard let length = Int(String(decoding: digits, as: UTF8.self)), length > digits.count + 2,
                length <= rest.count
            else { throw reader.damaged("the attributes of an entry are not lines with their lengths") }
            let line = rest.prefix(length).dropFirst(digits.count + 1).dropLast()
            rest = rest.dropFirst(length)
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = String(decoding: line[(equals + 1)...], as: UTF8.self)
            switch String(decoding: line[..<equals], as: UTF8.self) {
            case "path": path = value
            case "size":
                guard let number = Int(value), number >= 0 else {
                    throw reader.damaged("an entry of the archive has the size \(value.prefix(20))")
                }
                size = number
            default: break
            }
        }
    }

    private static let longest = 1 << 20
}
