/// Reads JSON sequentially without building a tree.
///
/// A vocabulary is a megabyte of small strings that is read whenever the program starts. Strings are appended to the
/// caller's buffer as UTF-8, without an allocation per string. Violations of the grammar (RFC 8259) in the parts that
/// are read are errors.
package struct JSONScanner {
    /// The position of a syntax error, and the expected syntax.
    package struct Malformed: Error, CustomStringConvertible {
        package let offset: Int
        package let expected: String

        package var description: String { "expected \(expected) at byte \(offset)" }
    }

    private let bytes: [UInt8]
    private var position = 0

    /// Deeper nesting is an error, so that a malicious file cannot exhaust the stack.
    package static let maximumDepth = 64

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
        var key: [UInt8] = []
        try members { scanner in
            key.removeAll(keepingCapacity: true)
            try scanner.string(into: &key)
        } value: { scanner in
            try member(&scanner, key)
        }
    }

    /// Reads a string and appends its UTF-8.
    package mutating func string(into text: inout [UInt8]) throws {
        try expect(UInt8(ascii: "\""), "a string")
        while true {
            text.append(contentsOf: bytes[try run()])
            guard let scalar = try endOrEscape() else { return }
            Self.append(scalar, to: &text)
        }
    }

    /// Skips a string, which must still be valid.
    private mutating func skipString() throws {
        try expect(UInt8(ascii: "\""), "a string")
        repeat { _ = try run() } while try endOrEscape() != nil
    }

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

    /// Reads a number (RFC 8259, 6).
    package mutating func number() throws -> Double {
        skipSpace()
        let start = position
        pass(UInt8(ascii: "-"))
        if !pass(UInt8(ascii: "0")) { try digits() }
        if pass(UInt8(ascii: ".")) { try digits() }
        if pass(UInt8(ascii: "e")) || pass(UInt8(ascii: "E")) {
            if !pass(UInt8(ascii: "-")) { pass(UInt8(ascii: "+")) }
            try digits()
        }
        guard let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)), value.isFinite else {
            throw malformed("a smaller number")
        }
        return value
    }

    /// Reads a word: `true`, `false` or `null`.
    package mutating func word(_ word: String) throws {
        skipSpace()
        guard bytes[position...].starts(with: word.utf8) else { throw malformed("a value") }
        position += word.utf8.count
    }

    /// The next byte that is not white space; nil at the end.
    package mutating func peek() -> UInt8? {
        skipSpace()
        return position < bytes.count ? bytes[position] : nil
    }

    package mutating func skipValue(depth: Int = 0) throws {
        guard depth < Self.maximumDepth else { throw malformed("less nesting") }
        skipSpace()
        guard position < bytes.count else { throw malformed("a value") }
        switch bytes[position] {
        case UInt8(ascii: "["): try array { try $0.skipValue(depth: depth + 1) }
        case UInt8(ascii: "{"):
            try members {
                try $0.skipString()
            } value: {
                try $0.skipValue(depth: depth + 1)
            }
        case UInt8(ascii: "\""): try skipString()
        default: try skipScalar()
        }
    }

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
        return pass(byte)
    }

    /// Moves past a byte, if it is here.
    @discardableResult
    private mutating func pass(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func digits() throws {
        let start = position
        while position < bytes.count, case UInt8(ascii: "0")...UInt8(ascii: "9") = bytes[position] { position += 1 }
        guard position > start else { throw malformed("a digit") }
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

    /// Reads the members of an object; `key` must read a string and `value` exactly one value.
    private mutating func members(
        key: (inout JSONScanner) throws -> Void, value: (inout JSONScanner) throws -> Void
    ) throws {
        try expect(UInt8(ascii: "{"), "an object")
        if consume(UInt8(ascii: "}")) { return }
        repeat {
            try key(&self)
            try expect(UInt8(ascii: ":"), "':'")
            try value(&self)
        } while consume(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"), "',' or '}'")
    }

    /// Moves to the end of a string or to its next escape; returns the characters it passed, which are literal.
    private mutating func run() throws -> Range<Int> {
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): return start..<position
            case 0..<0x20: throw malformed("no control character in a string")
            default: position += 1
            }
        }
        throw malformed("the end of a string")
    }

    /// Moves past the end of a string, or past an escape and returns its scalar.
    private mutating func endOrEscape() throws -> Unicode.Scalar? {
        let isEnd = bytes[position] == UInt8(ascii: "\"")
        position += 1
        return isEnd ? nil : try escape()
    }

    /// The scalar of an escape, whose backslash has been read.
    private mutating func escape() throws -> Unicode.Scalar {
        guard position < bytes.count else { throw malformed("an escape") }
        let letter = bytes[position]
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try escapedScalar()
        default: throw malformed("an escape")
        }
    }

    /// Half of all tokens begin with an escaped two-byte scalar, so that case is handled here.
    private static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
        switch scalar.value {
        case 0..<0x80: text.append(UInt8(scalar.value))
        case 0x80..<0x800:
            text.append(0xC0 | UInt8(scalar.value >> 6))
            text.append(0x80 | UInt8(scalar.value & 0x3F))
        default: text.append(contentsOf: scalar.utf8)
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
