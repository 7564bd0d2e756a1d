/// The elements of a JSON text (RFC 8259).
package enum JSONText {
    /// An object on one line; its values must already be JSON.
    package static func object(_ fields: [(String, String)]) -> String {
        "{" + fields.map { "\(string($0)): \($1)" }.joined(separator: ", ") + "}"
    }

    /// A string in quotation marks, with only the necessary characters escaped.
    package static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20: result += "\\u00" + hexadecimal(scalar.value)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// A number in its shortest exact form; JSON has no infinity, so values that are not finite become `null`.
    package static func number(_ value: Double) -> String { value.isFinite ? "\(value)" : "null" }

    /// A time in seconds, rounded to the millisecond, so that no 0.30000000000000004 is written.
    package static func time(_ seconds: Double) -> String {
        number((seconds * 1000).rounded(.toNearestOrEven) / 1000)
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        (value < 0x10 ? "0" : "") + String(value, radix: 16)
    }
}
