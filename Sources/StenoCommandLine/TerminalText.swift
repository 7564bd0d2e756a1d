import Foundation
import Steno

/// Rows of text in columns.
package enum TextTable {
    /// The rows, each column as wide as its widest cell, with two spaces between columns.
    ///
    /// - Parameter rightAligned: The right-aligned columns.
    package static func text(_ rows: [[String]], rightAligned: Set<Int> = []) -> String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? TextWidth.of($0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            let filled = row.lastIndex { !$0.isEmpty } ?? 0
            let cells = row.prefix(filled + 1).enumerated().map { column, cell in
                if rightAligned.contains(column) { return TextWidth.padLeft(cell, to: widths[column]) }
                return column < filled ? TextWidth.pad(cell, to: widths[column]) : cell
            }
            return cells.joined(separator: "  ") + "\n"
        }.joined()
    }
}

/// The JSON that commands write.
package enum JSONOutput {
    package static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}

extension String {
    /// The longest prefix of at most this many columns.
    package func prefix(columns: Int) -> String {
        var used = 0
        return String(
            prefix { character in
                used += TextWidth.of(String(character))
                return used <= columns
            })
    }
}

/// Makes untrusted text safe for a terminal, which interprets control characters as commands.
///
/// Directional overrides, which display letters in another order, count as control characters.
package enum TerminalText {
    /// The text on one line, with spaces instead of line breaks and tabs, and U+FFFD instead of every other control
    /// character (C0, DEL and C1).
    package static func line(_ text: some StringProtocol) -> String {
        replacing(text) { breaks.contains($0) ? " " : "\u{FFFD}" }
    }

    /// The text with its line breaks and tabs, but no other control characters.
    package static func lines(_ text: some StringProtocol) -> String {
        replacing(text) { ["\n", "\t"].contains($0) ? $0 : "\u{FFFD}" }
    }

    /// A message of the program: one line after the program's name, with control characters replaced.
    package static func message(_ sentence: String) -> String { "steno: \(line(sentence))\n" }

    /// Whether a text has no control characters other than the allowed ones.
    package static func isPlain(_ text: String, allowing some: String) -> Bool {
        text.unicodeScalars.allSatisfy { !isControl($0) || some.unicodeScalars.contains($0) }
    }

    private static let breaks: Set<Unicode.Scalar> = ["\n", "\r", "\t", "\u{0B}", "\u{0C}", "\u{85}"]

    private static func replacing(
        _ text: some StringProtocol, _ replacement: (Unicode.Scalar) -> Unicode.Scalar
    ) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(isControl(scalar) ? replacement(scalar) : scalar) }
        return String(result)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar == "\u{202D}" || scalar == "\u{202E}"
    }
}
