import Foundation
import Steno
import StenoCommandLine
import StenoModelStore

/// Downloads a model with the program `steno-download`, which is installed next to this one.
///
/// The networking libraries take longer to load than a short recording takes to transcribe, and no other command needs
/// them.
struct ModelDownload: Sendable {
    /// A line of the program's output.
    private struct Report: Decodable {
        struct Failure: Decodable {
            var code: String
            var message: String
        }

        var progress: DownloadProgress?
        var folder: String?
        var error: Failure?
    }

    let name: String
    var force = false

    /// Downloads the model and shows the progress.
    ///
    /// - Returns: Its folder.
    func run(_ console: Console) async throws -> URL {
        guard let program = InstalledProgram.besideThis("steno-download") else {
            throw StenoError(
                .resourceMissing,
                "The program steno-download is not next to steno. Install both, or build it: "
                    + "swift build -c release --product steno-download.")
        }
        let process = try PipedProcess(
            program.path, arguments: (force ? ["--force"] : []) + [name], input: .openForReading("/dev/null"),
            patience: .seconds(1))
        do {
            return try await withTaskCancellationHandler {
                try await read(process, DownloadLine(name: name), console)
            } onCancel: {
                process.end()
            }
        } catch let error as CancellationError {
            console.remark("\(name): interrupted. Run the same command again to continue.")
            throw error
        }
    }

    /// Reads the program's output to its end, on its own thread.
    private func read(_ process: PipedProcess, _ line: DownloadLine, _ console: Console) async throws -> URL {
        try await Worker.run("steno.download", stack: .shallow) { flag in
            var last: Report?
            for text in PipeLines(process.output) {
                last = try? JSONDecoder().decode(Report.self, from: Data(text.utf8))
                if let progress = last?.progress { console.showProgress(line.text(progress)) }
            }
            let ending = process.waitForEnding()
            console.clearProgress()
            if flag.isCancelled { throw CancellationError() }
            if let folder = last?.folder { return URL(fileURLWithPath: folder) }
            if let error = last?.error { throw StenoError(.init(error.code), error.message) }
            if case .notStarted(let error) = ending {
                throw StenoError(
                    .downloadFailed,
                    "steno-download cannot be started: \(error.localizedDescription). "
                        + "Install it again: make install.")
            }
            throw StenoError(
                .downloadFailed,
                "The download of \(name) was interrupted. Run the same command again to continue.")
        }
    }
}
