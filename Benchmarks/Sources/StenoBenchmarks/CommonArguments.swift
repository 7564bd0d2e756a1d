import ArgumentParser
@_spi(Benchmarks) import StenoCompute

/// The arguments of every subcommand.
struct CommonArguments: ParsableArguments {
    @Option(name: .long, help: "The number of threads.")
    var threads = Processor.physicalCores
    @Option(name: .long, help: "The number of runs of each measurement.")
    var runs = 7

    func validate() throws {
        guard (1...64).contains(threads) else { throw ValidationError("--threads must be from 1 to 64.") }
        guard runs >= 1 else { throw ValidationError("--runs must be 1 or more.") }
    }

    /// What was measured, and how.
    var heading: String { "\(Processor.instructionSet), \(threadCount), medians of \(runs)" }

    var threadCount: String { threads == 1 ? "1 thread" : "\(threads) threads" }
}
