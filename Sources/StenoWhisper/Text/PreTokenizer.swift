import StenoCore

/// Splits text into the pieces that tokens never cross: GPT-2's pattern
/// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`, implemented by hand.
///
/// The standard library's regular expressions match grapheme clusters by default and are far slower, and the pattern
/// needs only one decision per scalar.
struct PreTokenizer {
    /// The text as UTF-8; well-formed, because it comes from a `String`.
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Range<Int>? {
        guard position < bytes.count else { return nil }
        let start = position
        position = contractionEnd(start) ?? runEnd(start) ?? spaceEnd(start)
        return start..<position
    }

    /// The end of an English contraction, in lower case only, as in the pattern.
    private func contractionEnd(_ start: Int) -> Int? {
        guard bytes[start] == UInt8(ascii: "'"), start + 1 < bytes.count else { return nil }
        let second: UInt8? = start + 2 < bytes.count ? bytes[start + 2] : nil
        switch (bytes[start + 1], second) {
        case (UInt8(ascii: "s"), _), (UInt8(ascii: "t"), _), (UInt8(ascii: "m"), _), (UInt8(ascii: "d"), _):
            return start + 2
        case (UInt8(ascii: "r"), UInt8(ascii: "e")), (UInt8(ascii: "v"), UInt8(ascii: "e")),
            (UInt8(ascii: "l"), UInt8(ascii: "l")):
            return start + 3
        default: return nil
        }
    }

    /// The end of a run of letters, digits or other symbols, preceded by at most one space.
    private func runEnd(_ start: Int) -> Int? {
        let hasSpace = bytes[start] == UInt8(ascii: " ") && start + 1 < bytes.count
        let first = scalar(at: hasSpace ? start + 1 : start)
        guard first.kind != .space else { return nil }
        var end = first.end
        while end < bytes.count {
            let next = scalar(at: end)
            guard next.kind == first.kind else { break }
            end = next.end
        }
        return end
    }

    /// The end of a run of white space; its last character is left for the following word unless it is the only one.
    private func spaceEnd(_ start: Int) -> Int {
        var last = start
        var end = scalar(at: start).end
        while end < bytes.count {
            let next = scalar(at: end)
            guard next.kind == .space else { return last == start ? end : last }
            last = end
            end = next.end
        }
        return end
    }
}

extension PreTokenizer {
    private enum Kind { case letter, number, space, other }

    private func scalar(at start: Int) -> (kind: Kind, end: Int) {
        let lead = bytes[start]
        if lead < 0x80 { return (Self.kind(ascii: lead), start + 1) }
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        var value = UInt32(lead) & (0x7F >> UInt32(length))
        for byte in bytes[start + 1..<start + length] { value = value << 6 | UInt32(byte & 0x3F) }
        return (Unicode.Scalar(value).map(Self.kind) ?? .other, start + length)
    }

    private static func kind(ascii byte: UInt8) -> Kind {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): .letter
        case UInt8(ascii: "0")...UInt8(ascii: "9"): .number
        case 0x09...0x0D, 0x20: .space
        default: .other
        }
    }

    private static func kind(_ scalar: Unicode.Scalar) -> Kind {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: .letter
        case .decimalNumber, .letterNumber, .otherNumber: .number
        default: scalar.properties.isWhitespace ? .space : .other
        }
    }
}
