import ArgumentParser
import Foundation
@_spi(Benchmarks) import Steno
@_spi(Benchmarks) import StenoEvaluation

/// The process whose start and memory `engine` measures.
struct FreshProcessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "fresh-process", shouldDisplay: false)

    @Option(name: .long) var model: String
    @Option(name: .long) var precision: String
    @Option(name: .long) var threads: Int

    func run() async throws {
        let report: @Sendable (String) -> Void = { FileHandle.standardOutput.write(Data($0.utf8)) }
        try await FreshProcess.work(tokens: 64, report: report) {
            try await Transcriber.load(
                .folder(URL(fileURLWithPath: model)), precision: Precision(rawValue: precision) ?? .automatic,
                threads: threads)
        }
    }
}
