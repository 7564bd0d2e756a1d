/// A terminal in memory, with the few controls the live screen uses; rows wrap and reflow.
struct TerminalEmulator {
    /// A cell that was written to.
    struct Cell: Equatable {
        var character: Character
        var isUnderlined: Bool
    }

    private(set) var rows: [[Cell]] = [[]]
    private(set) var width: Int
    private var row = 0
    private var column = 0
    private var isUnderlined = false

    init(width: Int) { self.width = width }

    /// The rows as text, without empty ones at the end.
    var lines: [String] {
        var lines = rows.map { String($0.map(\.character)) }
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    /// The underlined text.
    var underlined: String { rows.map { String($0.filter(\.isUnderlined).map(\.character)) }.joined(separator: "|") }

    mutating func write(_ text: String) {
        var rest = Substring(text)
        while let character = rest.popFirst() {
            switch character {
            case "\n":
                row += 1
                column = 0
                if row == rows.count { rows.append([]) }
            case "\r": column = 0
            case "\u{1B}": control(&rest)
            default: put(character)
            }
        }
    }

    /// Breaks rows that are now too long, like most terminals.
    mutating func resize(width new: Int) {
        var broken: [[Cell]] = []
        for (index, cells) in rows.enumerated() {
            if index == row {
                row = broken.count + column / new
                column %= new
            }
            var rest = cells[...]
            repeat {
                broken.append(Array(rest.prefix(new)))
                rest = rest.dropFirst(new)
            } while !rest.isEmpty
        }
        rows = broken
        while row >= rows.count { rows.append([]) }
        width = new
    }

    private mutating func put(_ character: Character) {
        if column == width {
            row += 1
            column = 0
            if row == rows.count { rows.append([]) }
        }
        let cell = Cell(character: character, isUnderlined: isUnderlined)
        if column < rows[row].count { rows[row][column] = cell } else { rows[row].append(cell) }
        column += 1
    }

    /// The rest of an escape sequence: `[`, numbers, a letter.
    private mutating func control(_ rest: inout Substring) {
        rest.removeFirst()
        let numbers = rest.prefix { $0.isNumber || $0 == ";" }
        rest.removeFirst(numbers.count)
        switch rest.removeFirst() {
        case "A": row = max(0, row - (Int(numbers) ?? 1))
        case "J":
            rows[row].removeSubrange(min(column, rows[row].count)...)
            rows.removeSubrange((row + 1)...)
        case "m": isUnderlined = numbers.split(separator: ";").first == "4"
        default: break
        }
    }
}
