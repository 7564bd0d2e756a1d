import ArgumentParser
import Foundation
import Steno
import StenoBundledModel

/// Which model is used, and how it computes.
struct ModelArguments: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A model's folder or name, such as small or Systran/faster-whisper-large-v3 (default: $STENO_MODEL, else "
                + "an installed model called default, else the Whisper base that comes with steno).",
            valueName: "path|name"))
    var model: String?

    @Option(name: .long, help: "How the weights are computed with; automatic is the fastest that keeps the words.")
    var precision = Precision.automatic

    @Option(name: .long, help: "How many threads compute (default: chosen by the processor).")
    var threads: Int?

    @Flag(name: .long, help: "Say on standard error which model is used, how, and how fast.")
    var verbose = false

    func validate() throws {
        if let threads, threads < 1 { throw ValidationError("--threads must be 1 or more.") }
    }

    /// Finds and loads the model, and says which one it is when asked.
    func load(_ console: Console) async throws -> Transcriber {
        if verbose { console.enableVerbose() }
        do {
            let located = try ModelLocator.locateForCommand(model)
            console.verbose("model: \(described(located))")
            console.showProgress("loading the model")
            let transcriber = try await Transcriber.load(located.folder, precision: precision, threads: threads)
            console.clearProgress()
            console.verbose(computation(transcriber.model.information))
            return transcriber
        } catch let error where !(error is CancellationError) {
            console.fail(model.map { "model \($0)" } ?? "model", error)
            throw ExitCode(error.exitCode)
        }
    }

    private func described(_ located: LocatedModel) -> String {
        let reason = model == nil ? ", chosen because none was named" : ""
        switch located.origin {
        case .bundled: return "Whisper base that comes with steno\(reason): \(located.folder.path)"
        default: return "\(located.name)\(reason): \(located.folder.path)"
        }
    }

    private func computation(_ model: SpeechModelInformation) -> String {
        let why = precision == .automatic ? "chosen automatically" : "as asked for"
        let threads = model.threads == 1 ? "1 thread" : "\(model.threads) threads"
        return "model: \(model.source.format), stored as \(model.source.storedPrecision); "
            + "computing in \(model.precision.rawValue) (\(why)) on \(threads)"
    }
}

extension ModelLocator {
    /// The locator of the command: it knows the model that comes with it, where that was installed.
    static var command: ModelLocator {
        let bundled = LocatedModel(name: "base", folder: BundledModel.folder, origin: .bundled)
        return ModelLocator(bundled: BundledModel.isInstalled ? bundled : nil)
    }

    /// Finds a model for the command, and says what is missing where the command was copied without its resources.
    static func locateForCommand(_ model: String?) throws -> LocatedModel {
        do {
            return try command.locate(model)
        } catch let error as StenoError where error.code == .modelNotFound && !BundledModel.isInstalled {
            let folder = BundledModel.folder.deletingLastPathComponent()
            throw StenoError(
                .modelNotFound,
                "\(error.message) The model that comes with steno is missing too: its folder is "
                    + "\(folder.lastPathComponent), beside the program.")
        }
    }
}
