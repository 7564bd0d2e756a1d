import ArgumentParser
import Foundation
import Steno
import StenoCommandLine
import StenoModelStore

struct ModelsDownload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download models, and continue interrupted downloads.",
        discussion: """
              steno models download small
              steno models download Systran/faster-whisper-large-v3
              steno models download ggerganov/whisper.cpp/ggml-base-q5_1.bin

            Every file is verified. HF_ENDPOINT sets a mirror, HF_TOKEN a token for private repositories, and \
            HTTPS_PROXY and NO_PROXY the proxy. With HF_HUB_OFFLINE=1 Steno does not use the network.
            """)

    @Argument(
        help: .init(
            "Names (see steno models list --available), repositories, files in a repository, https addresses.",
            valueName: "name"))
    var names: [String]
    @Flag(help: "Compare an installed model with the hub's, and download the differences.") var force = false
    @Flag(name: .shortAndLong, help: "Print only errors.") var quiet = false

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
