import ArgumentParser
import Foundation
import Steno
import StenoCommandLine
import StenoModelStore

struct Models: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models",
        abstract: "List, download, verify and remove models.",
        discussion: """
              steno models list
              steno models list --available
              steno models download small

            A model is a folder in CTranslate2 format, as used by faster-whisper, a Hugging Face folder with \
            model.safetensors, or a ggml-*.bin file of whisper.cpp. Steno looks for names in $STENO_MODELS (folders \
            separated by colons; downloads go to the first), in ~/.local/share/steno/models (Library/Application \
            Support/Steno/Models on Apple systems) and in the Hugging Face cache. You can also put \
            your own folder, or a link to it, there. Without --model, Steno uses the model in $STENO_MODEL or \
            $WHISPER_MODEL_PATH, else the model called default, else the bundled Whisper base. Moonshine tiny is \
            bundled too, a faster model for English: --model moonshine-tiny.
            """,
        subcommands: [
            ModelsList.self, ModelsDownload.self, ModelsInfo.self, ModelsVerify.self, ModelsRemove.self,
            ModelsSize.self, ModelsConvert.self,
        ])
}

struct ModelsInfo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show the format, size, shape and languages of a model.",
        discussion: """
              steno models info base
              steno models info ~/models/faster-whisper-large-v3
            """)

    @Argument(help: .init("Model folder or name (default: the default model).", valueName: "path|name"))
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
        // Appended in steps: as one expression this takes the compiler seconds.
        var rows: [(String, String)] = [
            ("name", located.name),
            ("found", located.origin.label),
            ("folder", located.folder.path),
            ("format", model.source.format),
            ("stored as", model.source.storedPrecision),
            ("computed in", "\(model.precision.rawValue) (automatic choice on this machine)"),
            ("size", String(format: "%.1f MB", Double(model.source.byteCount) / 1e6)),
            ("parameters", String(format: "%.1f million", Double(model.parameterCount) / 1e6)),
        ]
        rows += model.details.map { ($0.name, $0.value) }
        rows.append(("languages", "\(model.languages.count): " + model.languages.joined(separator: " ")))
        return rows.map { $0.0.padding(toLength: 13, withPad: " ", startingAt: 0) + $0.1 + "\n" }.joined()
    }
}

struct ModelsVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that the files of models are as published; works offline.",
        discussion: """
            The hashes are saved with the download; in the Hugging Face cache, the file names contain them. The exit \
            code is 1 if a file is missing or altered: repair it with steno models download --force NAME.
            """)

    @Argument(help: .init("Names or paths (default: all models on this machine).", valueName: "name"))
    var names: [String] = []

    func run() async throws {
        try await CommandRun.run { [names] console in
            let models =
                try names.isEmpty
                ? ModelLocator().all() : names.map { try ModelLocator.locateForCommand($0) }
            var code: Int32 = 0
            for model in models {
                console.showProgress("\(model.name)  reading its files")
                let result = try await Worker.run("steno.verify", stack: .shallow) { flag in
                    try ModelStore().verify(model.folder) { flag.isCancelled }
                }
                console.print(Self.line(model, result))
                if case .altered = result.outcome { code = 1 }
            }
            return code
        }
    }

    /// The result on one line, followed by a line per problem.
    static func line(_ model: LocatedModel, _ result: ModelVerification) -> String {
        switch result.outcome {
        case .intact:
            let files = result.fileCount == 1 ? "1 file" : "\(result.fileCount) files"
            return "\(model.name): intact (\(files), \(ByteCount(result.size)))\n"
        case .unknown(let reason): return "\(model.name): not verified, \(reason)\n"
        case .altered(let problems):
            let repair = "Repair it: \(ModelLocator.downloadCommand("--force " + model.name))"
            return "\(model.name): altered\n" + (problems + [repair]).map { "  \($0)\n" }.joined()
        }
    }
}

struct ModelsRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove downloaded models and unfinished downloads.",
        discussion: """
            Steno removes only files that it downloaded. For any other model, the message says where it comes from.
            """)

    @Argument(help: .init("Names of downloaded models.", valueName: "name")) var names: [String]

    func run() async throws {
        try await CommandRun.run { [names] console in
            try await Inputs.forEach(names, console) { name in
                let won = try await Worker.run("steno.remove", stack: .shallow) { _ in
                    try ModelStore().remove(LocalFile.literal(name))
                }
                console.print("\(name) is removed: \(ByteCount(won)) freed\n")
            }
        }
    }
}

struct ModelsSize: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "size",
        abstract: "Show how much disk space the downloaded models use.",
        discussion: """
            Files that several models share are counted once in the total.
            """)

    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        try await CommandRun.run { [json] console in
            let report = try await Worker.run("steno.size", stack: .shallow) { _ in SizeReport(ModelStore()) }
            console.print(json ? report.json + "\n" : report.table)
            return 0
        }
    }
}

struct SizeReport: Encodable {
    struct Row: Encodable {
        var name: String
        var bytes: Int
    }

    var folder: String
    var models: [Row]
    var unfinished: [Row]
    var bytes: Int

    init(_ store: ModelStore) {
        folder = store.folder.path
        models = store.models.map { Row(name: $0.name, bytes: $0.size) }
        unfinished = store.partials.map { Row(name: $0.name, bytes: $0.size) }
        bytes = store.size
    }

    var json: String { JSONOutput.text(self) }

    var table: String {
        let rows =
            models.map { [$0.name, "\(ByteCount($0.bytes))", ""] }
            + unfinished.map { [$0.name, "\(ByteCount($0.bytes))", "unfinished: steno models download continues it"] }
        return TextTable.text(rows + [["total", "\(ByteCount(bytes))", folder]], rightAligned: [1])
    }
}
