import StenoTestSupport
import Testing

@testable import StenoCLI

struct LiveScreenTests {
    @Test func partialTextIsUnderlinedAndReplacedInPlace() {
        var (screen, terminal) = (LiveScreen(width: 40, style: .colour), TerminalEmulator(width: 40))
        terminal.write(screen.show(status: "listening"))
        terminal.write(screen.show(partial: " The fairy"))
        #expect(terminal.lines == ["The fairy", "listening"] && terminal.underlined == "The fairy|")
        terminal.write(screen.append(" The ferry", newLine: true))
        terminal.write(screen.show(partial: " leaves"))
        #expect(terminal.lines == ["The ferry leaves", "listening"] && terminal.underlined == " leaves|")
        terminal.write(screen.append(" leaves at dawn.", newLine: false))
        #expect(terminal.lines == ["The ferry leaves at dawn.", "listening"])
        terminal.write(screen.append(" Bring a coat.", newLine: true))
        terminal.write(screen.end())
        #expect(terminal.lines == ["The ferry leaves at dawn.", "Bring a coat."])
    }

    @Test func rowsBreakAtSpacesAndFullRowsStay() {
        var (screen, terminal) = (LiveScreen(width: 20, style: .plain), TerminalEmulator(width: 20))
        terminal.write(screen.append("one two three four five", newLine: true))
        terminal.write(screen.show(partial: " six seven eight"))
        terminal.write(screen.show(status: "listening"))
        #expect(terminal.lines == ["one two three four", "five six seven", "eight", "listening"])
        let redrawn = screen.show(partial: " sixty")
        #expect(!redrawn.contains("one"), "a full row of final text is never drawn again")
        terminal.write(redrawn)
        #expect(terminal.lines == ["one two three four", "five sixty", "listening"])
    }

    /// A model can write anything.
    @Test func textCannotControlTheTerminal() {
        var screen = LiveScreen(width: 40, style: .plain)
        let text = " a\u{1B}]0;title\u{07}\u{9B}2J\r\nb\u{202E}"
        let drawn =
            screen.show(status: text) + screen.show(partial: text) + screen.append(text, newLine: true) + screen.end()
        #expect(drawn.contains("a\u{FFFD}]0;title\u{FFFD}\u{FFFD}2J  b\u{FFFD}"))
        // What is left are the screen's own underlining and clearing.
        var rest = drawn
        for own in ["\u{1B}[4m", "\u{1B}[0m", "\u{1B}[1A", "\r\u{1B}[J", "\n"] { rest = rest.replacing(own, with: "") }
        #expect(rest.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }

    @Test func wideCharactersTakeTwoColumns() {
        var (screen, terminal) = (LiveScreen(width: 11, style: .plain), TerminalEmulator(width: 100))
        terminal.write(screen.append("私たちは今日電車で行きます", newLine: true))
        terminal.write(screen.show(status: "ja"))
        #expect(terminal.lines == ["私たちは今", "日電車で行", "きます", "ja"])
    }

    /// For any events and window sizes, each word appears once, in order, and the status line is last.
    @Test(arguments: seeds(40)) func nothingIsLostOrDoubled(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let width = Int.random(in: 12...60, using: &random)
        var (screen, terminal) = (LiveScreen(width: width, style: .colour), TerminalEmulator(width: width))
        var final: [String] = []
        terminal.write(screen.show(status: "status"))
        for step in 0..<120 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                let words = (0..<Int.random(in: 1...6, using: &random)).map { "f\(step).\($0)" }
                final += words
                terminal.write(screen.append(words.map { " " + $0 }.joined(), newLine: Bool.random(using: &random)))
                expect(terminal, final, [])
            case 1, 2:
                let words = (0..<Int.random(in: 0...9, using: &random)).map { "v\(step).\($0)" }
                terminal.write(screen.show(partial: words.map { " " + $0 }.joined()))
                expect(terminal, final, words)
            case 3: terminal.write(screen.show(status: "status \(step % 7)"))
            default:
                let new = Int.random(in: 12...60, using: &random)
                terminal.resize(width: new)
                terminal.write(screen.resize(width: new))
            }
        }
        terminal.write(screen.end())
        #expect(letters(terminal.lines) == final.joined())
    }

    /// Finished rows break anywhere when the window gets narrower, so letters are compared, not words.
    private func expect(_ terminal: TerminalEmulator, _ final: [String], _ partial: [String]) {
        #expect(letters(terminal.lines.dropLast()) == (final + partial).joined())
        #expect(terminal.lines.last?.hasPrefix("status") == true)
    }

    private func letters(_ lines: some Sequence<String>) -> String { lines.joined().filter { $0 != " " } }
}

/// A terminal in memory, with the few controls the live screen uses; rows wrap and reflow.
struct TerminalEmulator {
    typealias Cell = (character: Character, isUnderlined: Bool)

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
        let cell = (character: character, isUnderlined: isUnderlined)
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
