import Steno

/// Shows the reference above the hypothesis where they differ.
///
///     said   leaves  at  dawn  so
///     heard  leaves  it  dawn  –
///                    S         D
public enum EvaluationDifferences {
    /// The number of words shown before and after an error.
    private static let context = 4

    /// The differences of a file; empty when there are none.
    ///
    /// - Parameters:
    ///   - file: The file whose normalised texts are compared.
    ///   - width: The maximum width of a line in columns.
    public static func text(_ file: EvaluatedFile, width: Int = 100) -> String {
        let columns = columns(file)
        return parts(columns).flatMap { wrapped(columns[$0], width) }.joined(separator: "\n")
    }

    private struct Column {
        var said: String
        var heard: String
        var mark: String

        var width: Int { [said, heard, mark].reduce(0) { max($0, TextWidth.of($1)) } }
    }

    private static func columns(_ file: EvaluatedFile) -> [Column] {
        let (said, heard) = (words(file.normalizedReference), words(file.normalizedHypothesis))
        var (row, place) = (0, 0)
        return EditAlignment(reference: said, hypothesis: heard).steps.map { step in
            defer {
                if step != .insertion { row += 1 }
                if step != .deletion { place += 1 }
            }
            return switch step {
            case .hit: Column(said: said[row], heard: heard[place], mark: "")
            case .substitution: Column(said: said[row], heard: heard[place], mark: "S")
            case .deletion: Column(said: said[row], heard: "–", mark: "D")
            case .insertion: Column(said: "–", heard: heard[place], mark: "I")
            }
        }
    }

    private static func words(_ text: String) -> [String] { CodePoints(text).words() }

    /// The stretches around errors, joined where they touch.
    private static func parts(_ columns: [Column]) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        for index in columns.indices where !columns[index].mark.isEmpty {
            let part = max(0, index - context)..<min(columns.count, index + context + 1)
            if let last = parts.last, last.upperBound >= part.lowerBound {
                parts[parts.count - 1] = last.lowerBound..<part.upperBound
            } else {
                parts.append(part)
            }
        }
        return parts
    }

    /// Groups of three lines, each with as many columns as fit.
    private static func wrapped(_ columns: ArraySlice<Column>, _ width: Int) -> [String] {
        var blocks: [[Column]] = [[]]
        var used = 0
        for column in columns {
            used += column.width + 2
            if used > width - 9, blocks.last?.isEmpty == false {
                blocks.append([])
                used = column.width + 2
            }
            blocks[blocks.count - 1].append(column)
        }
        return blocks.filter { !$0.isEmpty }.map(block)
    }

    private static func block(_ columns: [Column]) -> String {
        func line(_ title: String, _ text: KeyPath<Column, String>) -> String {
            let cells = columns.map { TextWidth.pad($0[keyPath: text], to: $0.width) }
            let line = TextWidth.pad(title, to: 7) + cells.joined(separator: "  ")
            return "  " + String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
        }
        return line("said", \.said) + line("heard", \.heard) + line("", \.mark)
    }
}
