#if Server
    import Foundation
    import Steno
    import StenoCore

    /// A JSON value of any shape (RFC 8259), for protocols whose messages are read leniently: unknown fields are ignored.
    package enum JSONValue: Sendable, Hashable {
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
        case array([JSONValue])
        case object([String: JSONValue])

        /// The maximum number of values in a text: in memory they take many times their size.
        static let mostValues = 20_000

        /// Parses JSON in UTF-8, with at most ``mostValues`` values and `JSONScanner.maximumDepth` levels.
        ///
        /// If several members have the same name, the last one counts.
        /// - Throws: An error if the text is not JSON, or exceeds a limit.
        package init(parsing text: some Sequence<UInt8>) throws {
            var scanner = JSONScanner(Array(text))
            var room = Self.mostValues
            try self.init(&scanner, depth: 0, room: &room)
            try scanner.end()
        }

        /// A member of an object; nil if it is missing, or this is not an object.
        package subscript(name: String) -> JSONValue? {
            if case .object(let members) = self { members[name] } else { nil }
        }

        package var string: String? { if case .string(let value) = self { value } else { nil } }
        package var number: Double? { if case .number(let value) = self { value } else { nil } }
        /// The number as an integer, if it is whole and fits.
        package var integer: Int? { number.flatMap(Int.init(exactly:)) }
        package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
        package var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
        package var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
        package var isNull: Bool { self == .null }

        /// JSON on one line, with the members of objects sorted by name.
        package var text: String {
            switch self {
            case .null: "null"
            case .bool(let value): value ? "true" : "false"
            case .number(let value): Int(exactly: value).map(String.init) ?? JSONText.number(value)
            case .string(let value): JSONText.string(value)
            case .array(let values): JSONText.array(values.map(\.text))
            case .object(let members):
                JSONText.object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.text) })
            }
        }

        /// A time in seconds, rounded to the millisecond.
        package static func seconds(_ value: Double) -> JSONValue { .number((value * 1000).rounded() / 1000) }
    }

    extension JSONValue {
        private struct Refused: Error {}

        private init(_ scanner: inout JSONScanner, depth: Int, room: inout Int) throws {
            guard depth < JSONScanner.maximumDepth, room > 0 else { throw Refused() }
            room -= 1
            switch scanner.peek() {
            case UInt8(ascii: "{"):
                var members: [String: JSONValue] = [:]
                try scanner.object { scanner, name in
                    let name = try Self.text(name)
                    members[name] = try JSONValue(&scanner, depth: depth + 1, room: &room)
                }
                self = .object(members)
            case UInt8(ascii: "["):
                var values: [JSONValue] = []
                try scanner.array { values.append(try JSONValue(&$0, depth: depth + 1, room: &room)) }
                self = .array(values)
            case UInt8(ascii: "\""):
                var bytes: [UInt8] = []
                try scanner.string(into: &bytes)
                self = .string(try Self.text(bytes))
            case UInt8(ascii: "t"):
                try scanner.word("true")
                self = .bool(true)
            case UInt8(ascii: "f"):
                try scanner.word("false")
                self = .bool(false)
            case UInt8(ascii: "n"):
                try scanner.word("null")
                self = .null
            default: self = .number(try scanner.number())
            }
        }

        private static func text(_ bytes: [UInt8]) throws -> String {
            guard let text = String(bytes: bytes, encoding: .utf8) else { throw Refused() }
            return text
        }
    }

    extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
        ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
    {
        package init(stringLiteral value: String) { self = .string(value) }
        package init(integerLiteral value: Int) { self = .number(Double(value)) }
        package init(floatLiteral value: Double) { self = .number(value) }
        package init(booleanLiteral value: Bool) { self = .bool(value) }
        package init(nilLiteral: ()) { self = .null }
        package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
        package init(dictionaryLiteral elements: (String, JSONValue)...) {
            self = .object(Dictionary(elements) { _, last in last })
        }
    }
#endif
