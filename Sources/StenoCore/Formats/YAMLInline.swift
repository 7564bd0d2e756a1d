/// Reads a YAML value that is written in one line: a scalar, or lists and maps in brackets.
struct YAMLInline {
    /// Why a value cannot be read, worded to follow “line 5”.
    struct Unreadable: Error {
        let problem: String
    }

    /// The number of bytes read.
    private(set) var position = 0

    private let text: [UInt8]

    private static let deepestNesting = 16
    private static let space = UInt8(ascii: " ")

    init(_ text: [UInt8]) { self.text = text }

    /// The value that the whole text is.
    mutating func value() throws -> YAMLValue {
        switch peek {
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "\""), UInt8(ascii: "'"):
            let value = try item(depth: 0)
            skipSpace()
            guard peek == nil || peek == UInt8(ascii: "#") else {
                throw Unreadable(problem: "has text after its value")
            }
            return value
        case UInt8(ascii: "&"), UInt8(ascii: "*"), UInt8(ascii: "!"):
            throw Unreadable(problem: "has an anchor or a tag, which is not supported")
        case UInt8(ascii: "|"), UInt8(ascii: ">"):
            // The lines of the text have been joined; nothing here needs to know where they ended.
            let lines = text.drop { $0 != Self.space }.drop { $0 == Self.space }
            return .scalar(String(decoding: lines, as: UTF8.self), isQuoted: true)
        default: return .scalar(plain(endingAt: ""), isQuoted: false)
        }
    }

    /// A text in quotes.
    mutating func quoted() throws -> String {
        let single = UInt8(ascii: "'")
        guard let quote = take() else { throw Unreadable(problem: "ends too early") }
        var result: [UInt8] = []
        while let byte = take() {
            switch byte {
            case quote where quote == single && peek == single:
                position += 1
                result.append(single)
            case quote: return String(decoding: result, as: UTF8.self)
            case UInt8(ascii: "\\") where quote != single: try appendEscape(to: &result)
            default: result.append(byte)
            }
        }
        throw Unreadable(problem: "has a text without its closing quote")
    }

    // MARK: Lists and maps

    private mutating func item(depth: Int) throws -> YAMLValue {
        guard depth < Self.deepestNesting else { throw Unreadable(problem: "is too deeply nested") }
        skipSpace()
        switch peek {
        case UInt8(ascii: "["): return .list(try items(until: UInt8(ascii: "]")) { try $0.item(depth: depth + 1) })
        case UInt8(ascii: "{"): return .map(try items(until: UInt8(ascii: "}")) { try $0.entry(depth: depth + 1) })
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .scalar(try quoted(), isQuoted: true)
        default: return .scalar(plain(endingAt: ",]}"), isQuoted: false)
        }
    }

    private mutating func items<Item>(
        until end: UInt8, _ read: (inout YAMLInline) throws -> Item
    ) throws -> [Item] {
        position += 1
        var items: [Item] = []
        while true {
            skipSpace()
            if peek == end {
                position += 1
                return items
            }
            items.append(try read(&self))
            skipSpace()
            guard let next = peek else { throw Unreadable(problem: "has a list or map without its closing bracket") }
            guard next == UInt8(ascii: ",") || next == end else {
                throw Unreadable(problem: "has a list or map whose items are not separated by commas")
            }
            if next != end { position += 1 }
        }
    }

    private mutating func entry(depth: Int) throws -> YAMLValue.Entry {
        let isQuoted = peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'")
        let key = isQuoted ? try quoted() : plain(endingAt: ":,}")
        skipSpace()
        guard peek == UInt8(ascii: ":") else {
            return YAMLValue.Entry(key: key, value: .scalar("", isQuoted: false))
        }
        position += 1
        return YAMLValue.Entry(key: key, value: try item(depth: depth))
    }

    // MARK: Characters

    private var peek: UInt8? { position < text.count ? text[position] : nil }

    private mutating func take() -> UInt8? {
        guard let byte = peek else { return nil }
        position += 1
        return byte
    }

    private mutating func skipSpace() {
        while peek == Self.space || peek == 0x09 { position += 1 }
    }

    /// A text without quotes, up to a comment or one of the characters.
    private mutating func plain(endingAt ends: String) -> String {
        let start = position
        while let next = peek, !ends.utf8.contains(next) {
            if next == UInt8(ascii: "#"), position > start, text[position - 1] == Self.space { break }
            position += 1
        }
        var end = position
        while end > start, text[end - 1] == Self.space || text[end - 1] == 0x09 { end -= 1 }
        return String(decoding: text[start..<end], as: UTF8.self)
    }

    private static let letters: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "n"): "\n", UInt8(ascii: "t"): "\t", UInt8(ascii: "r"): "\r", UInt8(ascii: "0"): "\0",
        UInt8(ascii: "e"): "\u{1B}", UInt8(ascii: "N"): "\u{85}", UInt8(ascii: "_"): "\u{A0}",
        UInt8(ascii: "L"): "\u{2028}", UInt8(ascii: "P"): "\u{2029}",
    ]
    private static let digits: [UInt8: Int] = [UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8]

    /// Appends the character of an escape, whose backslash has been read.
    private mutating func appendEscape(to result: inout [UInt8]) throws {
        guard let letter = take() else { throw Unreadable(problem: "has a text without its closing quote") }
        guard let count = Self.digits[letter] else {
            let scalar = Self.letters[letter] ?? Unicode.Scalar(letter)
            return result.append(contentsOf: String(scalar).utf8)
        }
        let hex = String(decoding: text[position..<min(position + count, text.count)], as: UTF8.self)
        guard hex.utf8.count == count, let code = UInt32(hex, radix: 16), let scalar = Unicode.Scalar(code) else {
            throw Unreadable(problem: "has an escape that is not a character")
        }
        position += count
        result.append(contentsOf: String(scalar).utf8)
    }
}
