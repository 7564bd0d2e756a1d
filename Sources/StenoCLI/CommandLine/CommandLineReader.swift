import ArgumentParser
import Foundation
import StenoCommandLine

/// What a command line asks for.
struct CommandLineReader {
    /// What is to be done.
    enum Request: Equatable {
        /// Print a text, such as the help.
        case print(String)
        /// Run a command: the arguments for the parser, and what was accepted without effect.
        case run([String], notes: [String])
    }

    /// The command of all commands.
    let root: any ParsableCommand.Type
    /// The command that is meant where a file or an option is the first word.
    let standard: any ParsableCommand.Type
    /// The width of the help; nil is that of the terminal.
    var columns: Int?
    /// Whether a path leads to something; a test needs no files.
    var exists: (String) -> Bool = { FileManager.default.fileExists(atPath: LocalFile.url($0).path) }

    /// Reads the arguments after the program's name.
    ///
    /// - Throws: `UsageError`.
    func read(_ arguments: [String]) throws -> Request {
        guard let first = arguments.first else { return .print(short(root)) }
        // The parser's own: completion scripts, the description from which the manual page is made.
        if first.hasPrefix("---") || first.hasPrefix("--generate-completion-script")
            || first == "--experimental-dump-help"
        {
            return .run(arguments, notes: [])
        }
        if first == "help" { return .print(try help(Array(arguments.dropFirst()))) }
        if let help = HelpRequest(first) { return .print(text(help, of: root)) }
        if ["--version", "-V"].contains(first) { return .run(["--version"], notes: []) }
        let (command, rest) = try choose(arguments)
        return try request(command, rest)
    }

    private func request(_ command: ChosenCommand, _ arguments: [String]) throws -> Request {
        // A group of commands has no work of its own.
        guard command.type.configuration.subcommands.isEmpty else {
            guard let first = arguments.first, HelpRequest(first) == nil else {
                return .print(full(command.type))
            }
            throw unknown(first, in: command.type, command.name)
        }
        if arguments.prefix(while: { $0 != "--" }).contains("--version") { return .run(["--version"], notes: []) }
        let translator = ArgumentTranslator(command: command.name, options: OptionList(command.type), exists: exists)
        do {
            let translation = try translator.translate(arguments)
            return .run(command.path + translation.arguments, notes: translation.notes)
        } catch let help as HelpRequest {
            return .print(text(help, of: command.type))
        }
    }

    // MARK: The command

    private struct ChosenCommand {
        var type: any ParsableCommand.Type
        var path: [String] = []

        var name: String { (["steno"] + path).joined(separator: " ") }
    }

    /// The command that is named, or the standard one where a file or an option of it is.
    private func choose(_ arguments: [String]) throws -> (ChosenCommand, [String]) {
        let (command, rest) = descend(arguments)
        guard command.path.isEmpty, let first = rest.first else { return (command, rest) }
        if first.hasPrefix("-") || exists(first) || first.contains(where: { "./:*?".contains($0) }) {
            // A file that is missing, an address or a pattern without a match: the command says what is wrong with it.
            return (ChosenCommand(type: standard, path: [standard.name]), rest)
        }
        throw unknown(first, in: root, "steno")
    }

    private func descend(_ arguments: [String]) -> (ChosenCommand, [String]) {
        var command = ChosenCommand(type: root)
        var rest = arguments
        while let first = rest.first,
            let next = command.type.configuration.subcommands.first(where: { $0.name == first })
        {
            command.type = next
            command.path.append(first)
            rest.removeFirst()
        }
        return (command, rest)
    }

    private func unknown(_ word: String, in command: any ParsableCommand.Type, _ name: String) -> UsageError {
        let isRoot = command == root
        let names = command.configuration.subcommands.map { $0.name } + (isRoot ? ExternalCommand.names : [])
        let suggestion = Spelling.nearest(word, in: names).map { " Did you mean \(name) \($0)?" }
        let file = isRoot ? " and no file of that name" : ""
        return UsageError(
            "There is no command \(name) \(word)\(file).\(suggestion ?? " The commands are \(names.joined(separator: ", ")).")"
        )
    }

    // MARK: Help

    private func help(_ words: [String]) throws -> String {
        let (command, rest) = descend(words.filter { !$0.hasPrefix("-") })
        if let first = rest.first { throw unknown(first, in: command.type, command.name) }
        return text(words.compactMap(HelpRequest.init).first ?? .short, of: command.type)
    }

    private func text(_ help: HelpRequest, of command: any ParsableCommand.Type) -> String {
        help == .all ? full(command) : short(command)
    }

    private func short(_ command: any ParsableCommand.Type) -> String {
        (command as? any ShortlyExplained.Type)?.shortHelp ?? full(command)
    }

    private func full(_ command: any ParsableCommand.Type) -> String {
        root.helpMessage(for: command, includeHidden: false, columns: columns)
    }
}

extension ParsableCommand {
    /// The word that runs the command.
    static var name: String { configuration.commandName ?? "\(Self.self)".lowercased() }
}

/// A command with so many options that its help has a short form: those that are used most, with an example each.
protocol ShortlyExplained: ParsableCommand {
    /// The short help; at most 80 columns wide.
    static var shortHelp: String { get }
}
