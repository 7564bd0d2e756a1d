import ArgumentParser
import Foundation
import Steno
import StenoCommandLine

/// `steno models info`: describes a model.
struct ModelsInfo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show the format, size, shape and languages of a model.",
        discussion: """
              steno models info base
              steno models info ~/models/faster-whisper-large-v3
            """)

    @Argument(
        help: ArgumentHelp(
            "Model folder or name (default: the default model).", valueName: "path|name"))
    var model: String?

    func run() async throws {
        try await CommandRun.run { [model] console in
            do {
                let located = try ModelLocator.locateForCommand(model)
                let transcriber = try await Transcriber.load(located.folder)
                console.print(Self.description(transcriber.model.information, located))
                return 0
            } catch let error where !(error is CancellationError) {
                console.fail(model.map { "model \($0)" } ?? "model", error)
                return error.exitCode
            }
        }
    }

    static func description(_ model: SpeechModelInformation, _ located: LocatedModel) -> String {
        let rows =
            [
                ("name", located.name),
                ("found", located.origin.label),
                ("folder", located.folder.path),
                ("format", model.source.format),
                ("stored as", model.source.storedPrecision),
                ("computed in", "\(model.precision.rawValue) (automatic choice on this machine)"),
                ("size", String(format: "%.1f MB", Double(model.source.byteCount) / 1e6)),
                ("parameters", String(format: "%.1f million", Double(model.parameterCount) / 1e6)),
            ] + model.details.map { ($0.name, $0.value) } + [
                ("languages", "\(model.languages.count): " + model.languages.joined(separator: " "))
            ]
        return rows.map { $0.0.padding(toLength: 13, withPad: " ", startingAt: 0) + $0.1 + "\n" }.joined()
    }
}
