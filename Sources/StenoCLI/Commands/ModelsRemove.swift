import ArgumentParser
import Foundation
import Steno
import StenoCommandLine
import StenoModelStore

/// `steno models remove`: removes downloaded models.
struct ModelsRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove downloaded models and unfinished downloads.",
        discussion: """
            Steno removes only files that it downloaded. For any other model, the message says where it comes from.
            """)

    @Argument(help: ArgumentHelp("Names of downloaded models.", valueName: "name"))
    var names: [String]

    func run() async throws {
        try await CommandRun.run { [names] console in
            try await Inputs.forEach(names, console) { name in
                let won = try await Worker.run("steno.remove", stack: .shallow) { _ in
                    try ModelStore().remove(LocalFile.literal(name))
                }
                console.print("\(name) is removed: \(ByteCount(won)) more room on the disk\n")
            }
        }
    }
}
