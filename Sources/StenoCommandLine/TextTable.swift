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
    /// A value as JSON with sorted keys.
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
