import ArgumentParser
import Steno
import StenoCommandLine

/// `steno speakers remove`: forgets voices.
struct SpeakersRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove enrolled voices; removing the last one deletes the file.")

    @Argument(help: ArgumentHelp("Names of enrolled voices.", valueName: "name"))
    var names: [String]

    func run() async throws {
        try await CommandRun.run { [names] console in
            try await Inputs.forEach(names, console) { name in
                guard try SpeakerProfileFile.standard().remove(name) else {
                    throw StenoError(
                        .invalidOption, "No voice called \(name) is enrolled. Run steno speakers list for a list.")
                }
                console.print("\(name) is removed\n")
            }
        }
    }
}
