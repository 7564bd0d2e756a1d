import ArgumentParser
import CCeilings
import Foundation
@_spi(Benchmarks) import Steno
import StenoBundledModel
@_spi(Benchmarks) import StenoEvaluation

/// `steno-benchmarks floors`: the minimum times for a model on this machine, as JSON.
struct FloorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "floors",
        abstract: "Print the minimum time of each stage, by this machine's roofline, as flat JSON.",
        discussion: "The stages have the keys of `steno bench --json`; `engine` measures the same stages.")

    @OptionGroup var common: CommonArguments
    @OptionGroup var choice: MeasuredChoice

    func run() async throws {
        let transcriber = try await choice.load(threads: common.threads)
        let floors = EngineFloors(try whisper(transcriber), Ceilings(threads: common.threads))
        let fields = SpeedFigure.allCases.compactMap { figure in
            floors.milliseconds(figure).map { "  \"\(figure.rawValue)\": \(String(format: "%.4f", $0))" }
        }
        print("{\n\(fields.joined(separator: ",\n"))\n}")
    }
}
