import ArgumentParser
import CCeilings
import Foundation
@_spi(Benchmarks) import Steno
import StenoBundledModel

/// `steno-benchmarks floors`: the times this machine cannot fall below with a model, as JSON for programs.
struct FloorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "floors",
        abstract: "Print the least time of each stage, by this machine's ceilings, as flat JSON.",
        discussion: "The stages have the keys of `steno bench --json`; see `engine` for what is counted.")

    @OptionGroup var common: CommonArguments
    @OptionGroup var choice: ModelChoice

    func run() async throws {
        let transcriber = try await choice.load(threads: common.threads)
        let floors = EngineFloors(transcriber.model, Ceilings(threads: common.threads))
        let fields = SpeedFigure.allCases.compactMap { figure in
            floors.milliseconds(figure).map { "  \"\(figure.rawValue)\": \(String(format: "%.4f", $0))" }
        }
        print("{\n\(fields.joined(separator: ",\n"))\n}")
    }
}
