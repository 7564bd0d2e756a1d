import ArgumentParser
import Foundation
import StenoCommandLine

/// A command that another program, `steno-server`, runs.
///
/// The server and the history link a web server, a database and a TLS library. People who only transcribe need neither
/// compile nor load them.
struct ExternalCommand: Equatable {
    /// The commands, in the order of the help.
    static let names = ["serve", "captions", "history"]
    static let program = "steno-server"

    let arguments: [String]

    /// The external command at the start of a command line, with or without `help` before it; nil if there is none.
    init?(_ arguments: [String]) {
        let words = arguments.first == "help" ? Array(arguments.dropFirst()) : arguments
        guard let name = words.first, Self.names.contains(name) else { return nil }
        self.arguments = words.count < arguments.count ? words + ["--help"] : words
    }

    /// Replaces this process with the program.
    ///
    /// - Throws: `UsageError` if the program is missing or cannot be started.
    func run(_ program: URL? = InstalledProgram.find(Self.program)) throws {
        guard let program else {
            throw UsageError(
                """
                steno \(arguments[0]) needs the program \(Self.program), which is neither next to steno nor on the \
                PATH. Build it in the folder of Steno's sources: swift build -c release --traits Server --product \
                \(Self.program). Or install both: make install.
                """)
        }
        var words = ([program.path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        execv(program.path, &words)
        throw UsageError(
            "\(program.path) cannot be started: \(String(cString: strerror(errno))). Install it again: make install.")
    }
}

/// `steno serve` in the list of commands and in the completions; ``ExternalCommand`` runs it.
struct ServeListing: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "serve", abstract: ServerAbstract.serve)
}

/// `steno captions` in the list of commands and in the completions; ``ExternalCommand`` runs it.
struct CaptionsListing: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "captions", abstract: ServerAbstract.captions)
}

/// `steno history` in the list of commands and in the completions; ``ExternalCommand`` runs it.
struct HistoryListing: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "history", abstract: ServerAbstract.history)
}
