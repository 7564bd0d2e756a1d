import ArgumentParser
import Foundation
import Steno
import StenoCommandLine
import StenoModelStore

/// `steno models verify`: compares the files of models with the published ones.
struct ModelsVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that the files of models are as published; works offline.",
        discussion: """
            The hashes are saved with the download; in the Hugging Face cache, the file names contain them. The exit \
            code is 1 if a file is missing or altered: repair it with steno models download --force NAME.
            """)

    @Argument(help: ArgumentHelp("Names or paths (default: all models on this machine).", valueName: "name"))
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

    /// The result on one line, and each problem on another.
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
