package import ArgumentParser
import Foundation

/// Reads the command line of a program with several commands, and runs the command.
package struct CommandLineReader {
    enum Request: Equatable {
        case print(String)
        /// Run a command, with these arguments for its parser; the notes name options that have no effect.
        case run([String], notes: [String])
    }

    private let root: any ParsableCommand.Type
    private let standard: (any ParsableCommand.Type)?
    private let columns: Int?
    private let exists: (String) -> Bool

    /// - Parameters:
    ///   - root: The command that has all others as subcommands.
    ///   - standard: The command that runs when the first word is a file or an option; nil if the first word must be a
    ///     command.
    ///   - columns: The width of the help; nil for that of the terminal.
    ///   - exists: Whether a file or folder exists; nil asks the file system.
    package init(
        root: any ParsableCommand.Type, standard: (any ParsableCommand.Type)?, columns: Int? = nil,
        exists: ((String) -> Bool)? = nil
    ) {
        self.root = root
        self.standard = standard
        self.columns = columns
        self.exists = exists ?? { FileManager.default.fileExists(atPath: LocalFile.url($0).path) }
    }

    /// Prints the help or runs the command, and returns the exit code; errors go to standard error.
    package func run(_ arguments: [String]) async -> Int32 {
        do {
            switch try read(arguments) {
            case .print(let text): StandardStream.output.write(text.hasSuffix("\n") ? text : text + "\n")
            case .run(let arguments, let notes): try await run(arguments, notes)
            }
            return EXIT_SUCCESS
        } catch {
            return report(error)
        }
    }

    private func run(_ arguments: [String], _ notes: [String]) async throws {
        var command = try root.parseAsRoot(arguments)
        if !arguments.contains("--quiet") {
            for note in notes { StandardStream.error.write(TerminalText.message(note)) }
        }
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
    }

    /// Writes an error to standard error: the program's name, then one or two sentences; returns the exit code.
    package func report(_ error: any Error) -> Int32 {
        guard let error = error as? UsageError else { return ParserReport(root: root).report(error) }
        StandardStream.error.write(TerminalText.message(error.message))
        return ExitCode.validationFailure.rawValue
    }

    /// - Throws: `UsageError`.
    func read(_ arguments: [String]) throws -> Request {
        guard let first = arguments.first else { return .print(short(root)) }
        // For the parser itself: completion scripts, and the description that the manual page is generated from.
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
        if arguments.prefix(while: { $0 != "--" }).contains("--version") { return .run(["--version"], notes: []) }
        // A group of commands does nothing itself.
        guard command.type.configuration.subcommands.isEmpty else {
            guard let first = arguments.first, HelpRequest(first) == nil else { return .print(full(command.type)) }
            throw unknown(first, in: command.type, command.name)
        }
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

    /// The command named by the first words; the standard one if the first word is a file or an option.
    private func choose(_ arguments: [String]) throws -> (ChosenCommand, [String]) {
        let (command, rest) = descend(arguments)
        guard command.path.isEmpty, let first = rest.first else { return (command, rest) }
        guard let standard else { throw unknown(first, in: root, "steno") }
        if first.hasPrefix("-") || exists(first) || first.contains(where: { "./:*?".contains($0) }) {
            // A missing file, an address or a pattern without a match: the command will report the problem.
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
        let names = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { $0.name }
        let suggestion = Spelling.nearest(word, in: names).map { "Did you mean \(name) \($0)?" }
        let file = command == root && standard != nil ? " and no file of that name" : ""
        let help = suggestion ?? "The commands are \(names.joined(separator: ", "))."
        return UsageError("There is no command \(name) \(word)\(file). \(help)")
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
        guard let command = command as? any ShortlyExplained.Type else { return full(command) }
        return command.shortHelp(in: root)
    }

    private func full(_ command: any ParsableCommand.Type) -> String {
        root.helpMessage(for: command, includeHidden: false, columns: columns)
    }
}

extension ParsableCommand {
    /// The word that runs the command.
    static var name: String { configuration.commandName ?? "\(Self.self)".lowercased() }
}

/// A mistake in the command line, in one or two sentences that say what to write instead.
package struct UsageError: Error, Equatable {
    package let message: String

    package init(_ message: String) { self.message = message }
}

extension UsageError: LocalizedError {
    package var errorDescription: String? { message }
}

enum HelpRequest: Error, Equatable {
    case short
    case all

    /// The request that a word makes; nil if it does not ask for help.
    init?(_ word: String) {
        switch word {
        case "-h", "-?", "-help", "--help": self = .short
        case "--help-all", "--help-hidden": self = .all
        default: return nil
        }
    }
}
