import ArgumentParser

/// The command `steno-benchmarks`; each subcommand is in the file of its name.
@main
struct StenoBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "steno-benchmarks",
        abstract: "Measure the engine and its kernels and compare them with this machine's roofline.",
        discussion: """
            Everything prints Markdown. Run it on a machine that does nothing else.

              steno-benchmarks ceilings
              steno-benchmarks kernels --width 768 --threads 2
              steno-benchmarks engine --model ~/models/small --threads 1
            """,
        subcommands: [
            CeilingsCommand.self, KernelsCommand.self, EngineCommand.self, FloorsCommand.self, FreshProcessCommand.self,
        ])
}
