#if Server
    import ArgumentParser
    import Steno
    import StenoCommandLine

    @available(macOS 14, *)
    struct ServerCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "steno", abstract: "Steno's speech-to-text server, captions page and transcript history.",
            version: StenoVersion.current, subcommands: [Serve.self, Captions.self, History.self])

        static func run(_ arguments: [String]) async -> Int32 {
            await CommandLineReader(root: Self.self, standard: nil).run(arguments)
        }
    }
#endif
