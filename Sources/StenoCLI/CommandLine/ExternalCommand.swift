import Foundation
import StenoCommandLine

/// A command that is carried out by a program of its own, `steno-server`, as git has external commands.
///
/// The server and the store of transcripts link a web server, a database and a TLS library. Who only transcribes shall
/// neither compile nor load them.
struct ExternalCommand: Equatable {
    /// The commands, in the order of the help.
    static let names = ["serve", "captions", "history"]
    /// The program that carries them out.
    static let program = "steno-server"

    /// The arguments for the program.
    let arguments: [String]

    /// The external command that a command line begins with, `help` before it included; nil when it begins with none.
    init?(_ arguments: [String]) {
        let words = arguments.first == "help" ? Array(arguments.dropFirst()) : arguments
        guard let name = words.first, Self.names.contains(name) else { return nil }
        self.arguments = words.count < arguments.count ? words + ["--help"] : words
    }

    /// Replaces this process by the program.
    ///
    /// - Throws: `UsageError` when there is no such program, or it cannot be started.
    func run(_ program: URL? = InstalledProgram.find(Self.program)) throws {
        guard let program else {
            throw UsageError(
                """
                steno \(arguments[0]) is carried out by the program \(Self.program), which is neither beside steno nor on \
                the PATH. Build it where Steno's sources are: swift build -c release --traits Server --product \
                \(Self.program). Or install both: make install.
                """)
        }
        var words = ([program.path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        execv(program.path, &words)
        throw UsageError("\(program.path) cannot be started: \(String(cString: strerror(errno)))")
    }
}
