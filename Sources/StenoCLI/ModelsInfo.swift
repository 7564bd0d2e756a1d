import ArgumentParser
import Foundation
import Steno

/// `steno models info`: what one model is.
struct ModelsInfo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Say what a model is: its form, size, shape and languages.",
        discussion: """
              steno models info base
              steno models info ~/models/faster-whisper-large-v3
            """)

    @Argument(
        help: ArgumentHelp(
            "A model's folder or name (default: the one used when none is named).", valueName: "path|name"))
    var model: String?

    func run() async throws {
        try await CommandRun.run { [model] console in
            do {
                let located = try ModelLocator.command.locate(model)
                let transcriber = try await Transcriber.load(located.folder)
                console.print(Self.description(transcriber.model, located))
                return 0
            } catch let error where !(error is CancellationError) {
                console.fail(model.map { "model \($0)" } ?? "model", error)
                return error.exitCode
            }
        }
    }

    static func description(_ model: WhisperModel, _ located: LocatedModel) -> String {
        let shape = model.shape
        let rows = [
            ("name", located.name),
            ("found", located.origin.label.trimmingCharacters(in: .whitespaces)),
            ("folder", located.folder.path),
            ("format", model.source.format),
            ("stored as", model.source.storedPrecision),
            ("computed in", "\(model.precision.rawValue) (automatic choice on this machine)"),
            ("size", String(format: "%.1f MB", Double(model.source.fileSize) / 1e6)),
            ("encoder", "\(shape.encoderLayers) layers, \(shape.audioContext) positions, \(shape.melCount) mel bands"),
            ("decoder", "\(shape.decoderLayers) layers, width \(shape.width), \(shape.vocabularySize) tokens"),
            ("languages", shape.isMultilingual ? "\(model.languages.count): " + languages(model) : "English only"),
        ]
        return rows.map { $0.0.padding(toLength: 13, withPad: " ", startingAt: 0) + $0.1 + "\n" }.joined()
    }

    private static func languages(_ model: WhisperModel) -> String { model.languages.joined(separator: " ") }
}
