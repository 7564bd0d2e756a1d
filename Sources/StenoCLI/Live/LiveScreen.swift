import Steno
import StenoCommandLine

/// Draws live text on a terminal: final text, then partial text that is replaced in place, and a status line below.
///
/// Rows full of final text are never redrawn, so they can be scrolled back to and copied; the rows below them are
/// redrawn with every change. Control characters of the text are replaced, since a model can write anything. This type
/// only makes strings, so it can be tested without a terminal.
struct LiveScreen {
    struct Style: Sendable, Hashable {
        /// The escape sequence that turns it on.
        var partial: String

        /// Underlined and grey: #767676 has a contrast of 4.5 to white and of 4.6 to black (WCAG 2.2, 1.4.3).
        static let colour = Style(partial: "\u{1B}[4;38;5;243m")
        /// Underlined only, where `NO_COLOR` is set (no-color.org).
        static let plain = Style(partial: "\u{1B}[4m")
    }

    private static let reset = "\u{1B}[0m"

    private let style: Style
    private var width: Int
    /// Final text that does not fill a row yet.
    private var line = ""
    private var partial = ""
    private var status = ""
    /// The widths of the rows drawn below the finished ones, the status line last.
    private var drawn: [Int] = []

    init(width: Int, style: Style) {
        self.width = max(width, 10)
        self.style = style
    }

    /// Appends final text, on a new line if `newLine`.
    mutating func append(_ text: String, newLine: Bool) -> String {
        let text = TerminalText.line(text)
        partial = ""
        var finished: [String] = []
        if newLine, !line.isEmpty {
            finished = rows(of: line, "").map(\.text)
            line = ""
        }
        line += line.isEmpty ? String(text.trimmingPrefix(" ")) : text
        return redraw(finished)
    }

    mutating func show(partial text: String) -> String {
        let text = TerminalText.line(text)
        partial = line.isEmpty ? String(text.trimmingPrefix(" ")) : text
        return redraw([])
    }

    mutating func show(status text: String) -> String {
        let text = TerminalText.line(text)
        guard text != status else { return "" }
        status = text
        return redraw([])
    }

    mutating func resize(width new: Int) -> String {
        guard max(new, 10) != width else { return "" }
        let erased = erase(width: max(new, 10))
        width = max(new, 10)
        drawn = []
        return erased + redraw([])
    }

    /// Removes the status line and the partial text, and ends the last line.
    mutating func end() -> String {
        let rows = rows(of: line, "").map(\.text)
        defer { self = LiveScreen(width: width, style: style) }
        return erase(width: width) + rows.map { $0 + "\n" }.joined()
    }

    private mutating func redraw(_ finished: [String]) -> String {
        var output = erase(width: width) + finished.map { $0 + "\n" }.joined()
        var rows = rows(of: line, partial)
        // A full row of final text is finished; the last row may still grow.
        while rows.count > 1, rows[0].partial.isEmpty {
            output += rows[0].text + "\n"
            // The space at its end may be the first character of the partial text.
            let length = min(rows[0].length, line.count)
            line.removeFirst(length)
            partial.removeFirst(rows[0].length - length)
            rows.removeFirst()
        }
        drawn = rows.map(\.width) + [TextWidth.of(status)]
        for row in rows {
            let marked = row.partial.isEmpty ? "" : style.partial + row.partial + Self.reset
            output += row.final + marked + "\n"
        }
        return output + status.prefix(columns: width - 1)
    }

    /// Moves to the first row to be redrawn and clears from there; rows wider than the terminal have wrapped.
    private func erase(width: Int) -> String {
        guard !drawn.isEmpty else { return "" }
        let rows = drawn.map { max(1, ($0 + width - 1) / width) }.reduce(0, +)
        return (rows > 1 ? "\u{1B}[\(rows - 1)A" : "") + "\r\u{1B}[J"
    }

    // MARK: Rows

    private struct Row {
        var final = ""
        var partial = ""
        /// The number of characters that it covers, including the space at its end.
        var length = 0

        var text: String { final + partial }
        var width: Int { TextWidth.of(text) }
    }

    /// Breaks final and partial text into rows, at spaces where possible.
    private func rows(of final: String, _ partial: String) -> [Row] {
        let characters = Array(final + partial)
        let finalCount = final.count
        var rows: [Row] = []
        var start = 0
        while start < characters.count {
            let end = rowEnd(characters, from: start)
            var row = Row(length: end - start)
            for index in start..<end where index < end {
                if index < finalCount {
                    row.final.append(characters[index])
                } else {
                    row.partial.append(characters[index])
                }
            }
            if end < characters.count {
                while row.partial.last == " " { row.partial.removeLast() }
                while row.partial.isEmpty, row.final.last == " " { row.final.removeLast() }
            }
            rows.append(row)
            start = end
        }
        return rows.isEmpty ? [Row()] : rows
    }

    /// The end of the row that begins at `start`: after the last space that fits, or at the full width.
    private func rowEnd(_ characters: [Character], from start: Int) -> Int {
        var columns = 0
        var lastBreak: Int?
        for index in start..<characters.count {
            columns += TextWidth.of(String(characters[index]))
            // A space at the end of a row may exceed the width.
            if characters[index] == " " { lastBreak = index + 1 }
            if columns > width - 1, characters[index] != " " { return max(lastBreak ?? index, start + 1) }
        }
        return characters.count
    }
}
