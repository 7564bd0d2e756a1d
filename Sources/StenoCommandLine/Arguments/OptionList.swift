import ArgumentParser
import Foundation
import Steno

/// The options of a command, as its parser declares them.
struct OptionList {
    struct Entry {
        /// The long name with its dashes, such as `--beam-size`.
        let name: String
        let takesValue: Bool
        /// All its spellings and its value, such as `-m, --model <name>`.
        let label: String
        let explanation: String
        /// The value that the parser takes if none is given.
        let defaultValue: String?
    }

    private let options: [String: Entry]
    /// Whether the command takes files or other arguments without a name.
    let takesFiles: Bool

    init(_ command: any ParsableCommand.Type) {
        let description = try? JSONDecoder().decode(ParserDescription.self, from: Data(command._dumpHelp().utf8))
        self.init(arguments: description?.command.arguments ?? [])
    }

    private init(arguments: [ParserDescription.Parameter]) {
        var options: [String: Entry] = [:]
        for argument in arguments where argument.kind != "positional" {
            let spellings = (argument.names ?? []).map(\.spelling)
            for spelling in spellings {
                // The parser treats a flag and its opposite as one argument; here they are two options.
                let name = spelling.hasPrefix("--") ? spelling : spellings.first { $0.hasPrefix("--") } ?? spelling
                let short = spellings.filter { !$0.hasPrefix("--") }
                let value = argument.kind == "option" ? " <\(argument.valueName ?? "value")>" : ""
                options[spelling] = Entry(
                    name: name, takesValue: argument.kind == "option",
                    label: (short + [name]).joined(separator: ", ") + value, explanation: argument.abstract ?? "",
                    // A flag's would be the name of its opposite, such as `--no-timestamps`.
                    defaultValue: argument.kind == "option" ? argument.defaultValue : nil)
            }
        }
        self.options = options
        takesFiles = arguments.contains { $0.kind == "positional" }
    }

    /// The option of that name; `--beam_size` and `--Beam-Size` are `--beam-size`.
    func option(_ spelling: String) -> Entry? { options[spelling] ?? options[Self.canonical(spelling)] }

    /// All long names, in alphabetical order.
    var names: [String] { Set(options.values.map(\.name)).sorted() }

    /// A long name in lower case with hyphens; short names are unchanged.
    static func canonical(_ spelling: String) -> String {
        spelling.hasPrefix("--") ? spelling.lowercased().replacing("_", with: "-") : spelling
    }
}

/// The relevant part of the parser's description of a command.
private struct ParserDescription: Decodable {
    struct Command: Decodable { var arguments: [Parameter]? }

    struct Parameter: Decodable {
        var kind: String
        var names: [Name]?
        var valueName: String?
        var abstract: String?
        var defaultValue: String?
    }

    struct Name: Decodable {
        var kind: String
        var name: String

        var spelling: String { (kind == "long" ? "--" : "-") + name }
    }

    var command: Command
}

enum Spelling {
    /// The word that was probably meant: the only one with this beginning, or one that differs in a letter or two; nil
    /// if none is close.
    ///
    /// A word and its negation (`--timestamps`, `--no-timestamps`) never count as close: suggesting the opposite would
    /// mislead.
    static func nearest(_ word: String, in words: [String]) -> String? {
        let candidates = words.filter { isNegated($0) == isNegated(word) }
        let beginning = candidates.filter { word.count >= 4 && $0.hasPrefix(word) }
        if beginning.count == 1 { return beginning[0] }
        let limit = word.count < 8 ? 1 : 2
        return candidates.map { (word: $0, distance: distance(word, $0)) }.filter { $0.distance <= limit }
            .min { $0.distance < $1.distance }?.word
    }

    private static func isNegated(_ word: String) -> Bool { word.hasPrefix("--no-") }

    /// The edit distance, in which two swapped letters count as one error.
    private static func distance(_ first: String, _ second: String) -> Int {
        EditDistance.distances(of: Array(first), from: Array(second), withSwaps: true).last ?? 0
    }
}
