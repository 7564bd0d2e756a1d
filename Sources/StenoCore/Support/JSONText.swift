/// Writes JSON (RFC 8259); the values of objects and arrays must already be JSON.
///
/// By hand, because an encoder would keep neither the order of the keys nor the short form of the numbers.
package enum JSONText {
    /// An object on one line.
    package static func object(_ fields: [(String, String)]) -> String {
        "{" + fields.map { "\(string($0)): \($1)" }.joined(separator: ", ") + "}"
    }

    /// An object with a field on each line, as Python's `json.dump(…, indent=2)` writes it.
    package static func objectLines(_ fields: [(String, String)]) -> String {
        "{\n" + fields.map { "  \(string($0)): \($1)" }.joined(separator: ",\n") + "\n}"
    }

    /// An array on one line.
    package static func array(_ elements: [String]) -> String { "[" + elements.joined(separator: ", ") + "]" }

    /// An array with an element on each line; `indent` is the spaces before the line with its name.
    package static func arrayLines(_ elements: [String], indent: String = "") -> String {
        guard !elements.isEmpty else { return "[]" }
        let inner = indent + "  "
        return "[\n" + inner + elements.joined(separator: ",\n" + inner) + "\n" + indent + "]"
    }

    /// A string in quotation marks, with only the necessary characters escaped.
    package static func string(_ text: String) -> String { string(text, isASCII: false) }

    /// A string in quotation marks, with everything escaped that is not printable ASCII, as Python does.
    package static func ascii(_ text: String) -> String { string(text, isASCII: true) }

    private static func string(_ text: String, isASCII: Bool) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || isASCII && scalar.value > 0x7E:
                for unit in scalar.utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// A number in its shortest exact form; JSON has no infinity, so values that are not finite become `null`.
    package static func number(_ value: Double) -> String { value.isFinite ? "\(value)" : "null" }

    /// A time in seconds, rounded to the millisecond, so that no 0.30000000000000004 is written.
    package static func time(_ seconds: Double) -> String { number((seconds * 1000).rounded(.toNearestOrEven) / 1000) }
}
