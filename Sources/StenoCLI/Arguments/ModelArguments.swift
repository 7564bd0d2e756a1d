import ArgumentParser
import Foundation
import Steno
import StenoBundledModel
import StenoCommandLine

struct ModelArguments: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: .init(
            "Model path or name, such as small or Systran/faster-whisper-large-v3; auto selects the best installed "
                + "model that runs in real time (default: $STENO_MODEL, else $WHISPER_MODEL_PATH, else an installed "
                + "model called default, else the bundled Whisper base).", valueName: "path|name"))
    var model: String?
    @Option(help: "Numeric precision: automatic is int8; float32 is slower and gives faster-whisper's tokens.")
    var precision = Precision.automatic
    @Option(
        name: .shortAndLong,
        help: .init("Number of threads (default: one per core that the CPU quota allows).", valueName: "n"))
    var threads: Int?
    @Flag(help: "Report model, precision and a transcript's speed on standard error.") var verbose = false
    @Flag(name: .shortAndLong, help: "Print no progress and no notes.") var quiet = false

    func validate() throws {
        if let threads, threads < 1 { throw ValidationError("--threads must be 1 or more.") }
        if let model, model.allSatisfy(\.isWhitespace) {
            throw ValidationError(
                "--model is empty: name a model or its folder, or leave it out. See steno models list.")
        }
        guard !quiet || !verbose else { throw ValidationError("Use --quiet or --verbose, not both.") }
    }

    /// Finds and loads the model; with `--verbose` reports which one it is.
    func load(_ console: Console) async throws -> Transcriber { try await loadLocated(console).transcriber }

    func loadLocated(_ console: Console) async throws -> (transcriber: Transcriber, model: LocatedModel) {
        if verbose { console.enableVerbose() }
        if quiet { console.enableQuiet() }
        do {
            let located = try await locate(console)
            console.verbose("model: \(described(located))")
            console.showProgress("loading the model")
            let transcriber = try await Transcriber.load(located.folder, precision: precision, threads: threads)
            console.clearProgress()
            console.verbose(computation(transcriber.model.information))
            return (transcriber, located)
        } catch let error where !(error is CancellationError) {
            console.fail(model.map { "model \($0)" } ?? "model", error)
            throw ExitCode(error.exitCode)
        }
    }

    /// Finds the model; if it is missing, downloads it if the user agrees.
    private func locate(_ console: Console) async throws -> LocatedModel {
        if model == RealTimeModels.name { try await measure(console) }
        do {
            return try ModelLocator.locateForCommand(model)
        } catch let error as StenoError where error.code == .modelNotFound {
            let name = model ?? ProcessInfo.processInfo.environment["STENO_MODEL"]
            guard !quiet, MissingModel.canAsk, let missing = name.flatMap({ MissingModel($0) }),
                await missing.ask(console)
            else { throw error }
            _ = try await ModelDownload(name: missing.name).run(console)
            return try ModelLocator.locateForCommand(model)
        }
    }

    /// Measures the installed models that have not been measured on this machine.
    private func measure(_ console: Console) async throws {
        try await Worker.run("steno.measure") { flag in
            try RealTimeModels().measure(isCancelled: { flag.isCancelled }) { model in
                console.showProgress("measuring \(model.name), once for this machine")
            }
        }
        console.clearProgress()
    }

    private func described(_ located: LocatedModel) -> String {
        let reason = model == nil ? ", the default" : ""
        switch located.origin {
        case .bundled:
            let title = BundledProduct.all.first { $0.model == located.name }?.title ?? located.name
            return "bundled \(title)\(reason): \(located.folder.path)"
        default: return "\(located.name)\(reason): \(located.folder.path)"
        }
    }

    private func computation(_ model: SpeechModelInformation) -> String {
        let why = precision == .automatic ? "chosen automatically" : "as requested"
        let threads = model.threads == 1 ? "1 thread" : "\(model.threads) threads"
        return "model: \(model.source.format), stored as \(model.source.storedPrecision); "
            + "computing in \(model.precision.rawValue) (\(why)) on \(threads)"
    }
}

extension ModelLocator {
    /// Finds a model; if the command was copied without its resources, the error says so.
    static func locateForCommand(_ model: String?) throws -> LocatedModel {
        do {
            return try ModelLocator().locate(model.map(LocalFile.literal))
        } catch let error as StenoError where error.code == .modelNotFound && !BundledModel.isInstalled {
            throw StenoError(
                .modelNotFound,
                "\(error.message) The model that comes with steno is missing too. Install its folder, "
                    + "\(BundledProduct.whisperBase.installedName), next to the program.")
        }
    }
}
