package import ArgumentParser
import Steno

/// A command with so many options that `--help` shows only the most used ones, and `--help-all` every one.
package protocol ShortlyExplained: ParsableCommand {
    /// The long names of the most used options, in the order of the short help; none for a group of commands.
    static var commonOptions: [String] { get }
}

extension ShortlyExplained {
    /// Examples from the command's discussion, and the first clause about each common option with its default.
    ///
    /// - Parameter root: The program's command, which is part of the usage.
    static func shortHelp(in root: any ParsableCommand.Type) -> String {
        let examples = configuration.discussion.split(separator: "\n").filter { $0.hasPrefix("  ") }
        // A group of commands has an example of each.
        let shown = examples.prefix(commonOptions.isEmpty ? .max : 3).joined(separator: "\n")
        let options = OptionList(Self.self)
        let lines = commonOptions.compactMap(options.option).map(line).joined(separator: "\n")
        let rest =
            commonOptions.isEmpty
            ? "steno COMMAND --help shows the most used options, --help-all every option.\n"
                + "steno --help-all also has the exit codes."
            : "--help-all lists every option, and says how the command works and ends."
        // The parser leaves out the brackets where it lists no arguments.
        let usage = root.usageString(for: Self.self).replacing(" <options>", with: " [<options>]")
            .replacing("\n", with: "\n       ")
        return [configuration.abstract, "usage: " + usage, shown, lines, rest].filter { !$0.isEmpty }
            .joined(separator: "\n\n")
    }

    /// The option in the parser's columns, but never wider than 80, so that it can be quoted anywhere.
    private static func line(_ option: OptionList.Entry) -> String {
        let (width, indent) = (80, 26)
        let ends = ["; ", ": ", ". ", " (default"].compactMap { option.explanation.firstRange(of: $0)?.lowerBound }
        let clause = option.explanation[..<(ends.min() ?? option.explanation.endIndex)]
        // The default that the parser knows, or the one that the explanation names, if it is short.
        let given =
            option.defaultValue.map { " (default: \($0))" }
            ?? option.explanation.firstMatch(of: #/ \(default: [^()]{1,50}\)/#).map { String($0.output) } ?? ""
        let (label, blank) = ("  " + option.label, String(repeating: " ", count: indent))
        var lines = label.count < indent ? [TextWidth.pad(label, to: indent)] : [label, blank]
        for word in ((clause.last == "." ? clause.dropLast() : clause) + given).split(separator: " ") {
            if lines[lines.count - 1].count + word.count >= width { lines.append(blank) }
            lines[lines.count - 1] += (lines[lines.count - 1].count > indent ? " " : "") + word
        }
        return lines.joined(separator: "\n")
    }
}
