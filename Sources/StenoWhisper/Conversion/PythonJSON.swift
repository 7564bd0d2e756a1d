internal import Foundation
import StenoCore

/// Writes JSON as Python's `json.dump(…, indent=2)` does, with everything beyond ASCII escaped.
///
/// This makes a converted model's files identical to those of CTranslate2's own converter.
enum PythonJSON {
    /// A string with its quotation marks.
    static func string(_ text: String) -> String {
        var json = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: json += "\\\""
            case 0x5C: json += "\\\\"
            case 0x0A: json += "\\n"
            case 0x0D: json += "\\r"
            case 0x09: json += "\\t"
            case 0x20..<0x7F: json.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            default: json += String(format: "\\u%04x", unit)
            }
        }
        return json + "\""
    }

    /// An array with an element on each line.
    static func array(_ elements: [String], indent: String = "") -> String {
        guard !elements.isEmpty else { return "[]" }
        let inner = indent + "  "
        return "[\n" + inner + elements.joined(separator: ",\n" + inner) + "\n" + indent + "]"
    }

    /// An object with a member on each line.
    static func object(_ members: [(String, String)]) -> String {
        "{\n" + members.map { "  \(string($0.0)): \($0.1)" }.joined(separator: ",\n") + "\n}"
    }
}
