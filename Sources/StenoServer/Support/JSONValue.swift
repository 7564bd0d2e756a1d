#if Server
    import Foundation
    import Steno

    /// A JSON value of any shape (RFC 8259), for protocols whose messages are read leniently: unknown fields are ignored.
    package enum JSONValue: Sendable, Hashable {
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
        case array([JSONValue])
        case object([String: JSONValue])

        /// Reads a text of JSON.
        ///
        /// - Throws: `DecodingError` when it is none.
        package init(parsing text: some Sequence<UInt8>) throws {
            self = try JSONDecoder().decode(JSONValue.self, from: Data(text))
        }

        /// The member of an object; nil where there is none, or where this is no object.
        package subscript(name: String) -> JSONValue? {
            if case .object(let members) = self { members[name] } else { nil }
        }

        /// The string, if it is one.
        package var string: String? { if case .string(let value) = self { value } else { nil } }
        /// The number, if it is one.
        package var number: Double? { if case .number(let value) = self { value } else { nil } }
        /// The number as an integer, if it is a whole one that fits.
        package var integer: Int? { number.flatMap(Int.init(exactly:)) }
        /// The truth value, if it is one.
        package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
        /// The elements, if it is an array.
        package var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
        /// The members, if it is an object.
        package var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
        /// Whether it is `null`.
        package var isNull: Bool { self == .null }

        /// The text on one line, the members of objects in the order of their names.
        package var text: String {
            switch self {
            case .null: "null"
            case .bool(let value): value ? "true" : "false"
            case .number(let value): Int(exactly: value).map(String.init) ?? JSONText.number(value)
            case .string(let value): JSONText.string(value)
            case .array(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
            case .object(let members):
                JSONText.object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.text) })
            }
        }

        /// A time in seconds, rounded to the millisecond.
        package static func seconds(_ value: Double) -> JSONValue { .number((value * 1000).rounded() / 1000) }
    }

    extension JSONValue: Decodable {
        /// Reads a value.
        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(String.self) {
                self = .string(value)
            } else if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else if let value = try? container.decode([String: JSONValue].self) {
                self = .object(value)
            } else {
                self = .array(try container.decode([JSONValue].self))
            }
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
