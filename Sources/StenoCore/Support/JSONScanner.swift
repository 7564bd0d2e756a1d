/// Reads JSON sequentially without building a tree.
///
/// A vocabulary is a megabyte of small strings and delays every start of the program. Strings are returned as UTF-8
/// bytes; nothing is allocated per value, and violations of the grammar (RFC 8259) in the parts that are read are
/// errors.
package struct JSONScanner {
    /// The position of a syntax error, and what was expected there.
    package struct Malformed: Error, CustomStringConvertible {
        package let offset: Int
        package let expected: String

        package var description: String { "expected \(expected) at byte \(offset)" }
    }

    private let bytes: [UInt8]
    private var position = 0

    /// Deeper nesting is an error, so that a malicious file cannot exhaust the stack.
    private static let maximumDepth = 64

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads an array; `element` must read exactly one value.
    package mutating func array(_ element: (inout JSONScanner) throws -> Void) throws {
        try expect(UInt8(ascii: "["), "an array")
        if consume(UInt8(ascii: "]")) { return }
        repeat { try element(&self) } while consume(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"), "',' or ']'")
    }

    /// Reads an object; `member` gets each key and must read exactly one value.
    package mutating func object(_ member: (inout JSONScanner, [UInt8]) throws -> Void) throws {
        try expect(UInt8(ascii: "{"), "an object")
        if consume(UInt8(ascii: "}")) { return }
        var key: [UInt8] = []
        repeat {
            key.removeAll(keepingCapacity: true)
            try string(into: &key)
            try expect(UInt8(ascii: ":"), "':'")
            try member(&self, key)
        } while consume(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"), "',' or '}'")
    }

    /// Reads a string and appends its UTF-8.
    package mutating func string(into text: inout [UInt8]) throws {
        try expect(UInt8(ascii: "\""), "a string")
        var runStart = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                text.append(contentsOf: bytes[runStart..<position])
                position += 1
                return
            case UInt8(ascii: "\\"):
                text.append(contentsOf: bytes[runStart..<position])
                position += 1
                try escape(into: &text)
                runStart = position
            case 0..<0x20:
                throw malformed("no control character in a string")
            default:
                position += 1
            }
        }
        throw malformed("the end of a string")
    }

    /// Reads a whole number from 0 to `Int.max`.
    package mutating func wholeNumber() throws -> Int {
        skipSpace()
        var value = 0
        let start = position
        while position < bytes.count, case UInt8(ascii: "0")...UInt8(ascii: "9") = bytes[position] {
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(Int(bytes[position] - UInt8(ascii: "0")))
            guard !overflow, !carry else { throw malformed("a smaller number") }
            value = sum
            position += 1
        }
        guard position > start else { throw malformed("a whole number") }
        return value
    }

    /// Skips any value.
    package mutating func skipValue(depth: Int = 0) throws {
        guard depth < Self.maximumDepth else { throw malformed("less nesting") }
        skipSpace()
        guard position < bytes.count else { throw malformed("a value") }
        switch bytes[position] {
        case UInt8(ascii: "["): try array { try $0.skipValue(depth: depth + 1) }
        case UInt8(ascii: "{"): try object { scanner, _ in try scanner.skipValue(depth: depth + 1) }
        case UInt8(ascii: "\""):
            var ignored: [UInt8] = []
            try string(into: &ignored)
        default: try skipScalar()
        }
    }

    /// Checks that nothing follows.
    package mutating func end() throws {
        skipSpace()
        guard position == bytes.count else { throw malformed("the end of the file") }
    }
}

extension JSONScanner {
    private func malformed(_ expected: String) -> Malformed { Malformed(offset: position, expected: expected) }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ byte: UInt8, _ name: String) throws {
        guard consume(byte) else { throw malformed(name) }
    }

    /// Skips a number, `true`, `false` or `null`, without checking its spelling.
    private mutating func skipScalar() throws {
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                position += 1
            default:
                guard position > start else { throw malformed("a value") }
                return
            }
        }
    }

    private mutating func escape(into text: inout [UInt8]) throws {
        guard position < bytes.count else { throw malformed("an escape") }
        let letter = bytes[position]
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): Self.append(try escapedScalar(), to: &text)
        default: throw malformed("an escape")
        }
    }

    /// Appends a scalar's UTF-8.
    ///
    /// Half of all tokens begin with an escaped two-byte scalar, so that case is handled here.
    private static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
        switch scalar.value {
        case 0..<0x80:
            text.append(UInt8(scalar.value))
        case 0x80..<0x800:
            text.append(0xC0 | UInt8(scalar.value >> 6))
            text.append(0x80 | UInt8(scalar.value & 0x3F))
        default:
            text.append(contentsOf: scalar.utf8)
        }
    }

    /// The scalar of one `\uXXXX`, or of a surrogate pair.
    private mutating func escapedScalar() throws -> Unicode.Scalar {
        let first = try hexQuad()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800..<0xDC00).contains(first), position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { throw malformed("a pair of surrogates") }
        position += 2
        let second = try hexQuad()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw malformed("a pair of surrogates") }
        return scalar
    }

    private mutating func hexQuad() throws -> UInt32 {
        guard bytes.count - position >= 4 else { throw malformed("four hexadecimal digits") }
        var value: UInt32 = 0
        for offset in 0..<4 {
            guard let digit = Self.hexDigit(bytes[position + offset]) else {
                throw malformed("four hexadecimal digits")
            }
            value = value << 4 | digit
        }
        position += 4
        return value
    }

    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
