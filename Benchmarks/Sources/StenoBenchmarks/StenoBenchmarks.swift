import ArgumentParser

/// The command `steno-benchmarks`; each subcommand stands in a file of its own name.
@main
struct StenoBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "steno-benchmarks",
        abstract: "Measure the engine and its kernels beside what this machine can do at most.",
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
