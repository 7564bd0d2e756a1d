import ArgumentParser
import Foundation
import Steno
import StenoCommandLine
import StenoModelStore

/// `steno models download`: gets models from the Hugging Face hub.
struct ModelsDownload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download models; an interrupted download continues where it was.",
        discussion: """
              steno models download small
              steno models download Systran/faster-whisper-large-v3
              steno models download ggerganov/whisper.cpp/ggml-base-q5_1.bin

            Every file is verified. HF_ENDPOINT sets a mirror, HF_TOKEN a token for private repositories, HTTPS_PROXY \
            and NO_PROXY the way to them; with HF_HUB_OFFLINE=1 the network is not used.
            """)

    @Argument(
        help: ArgumentHelp(
            "Names (see steno models list --available), repositories, files in one, https addresses.",
            valueName: "name"))
    var names: [String]

    @Flag(name: .long, help: "Compare a model that is on this machine with the hub's, and fetch what differs.")
    var force = false

    @Flag(name: .shortAndLong, help: "Write no progress and no notes, only errors.")
    var quiet = false

    func run() async throws {
        try await CommandRun.run { [names, force, quiet] console in
            if quiet { console.enableQuiet() }
            return try await Inputs.forEach(names, console) { name in
                let before = force ? nil : try? ModelLocator().locate(name)
                let folder = try await ModelDownload(name: name, force: force).run(console)
                if quiet { return }
                if let before, before.origin != .bundled {
                    console.print("\(name) is on this machine: \(folder.path)\n")
                } else {
                    console.print("\(name) is installed: \(folder.path)\n")
                }
            }
        }
    }
}
