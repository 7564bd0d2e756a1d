import Dispatch
import Foundation
import Steno
import StenoModelStore

// `steno-download [--force] NAME`: downloads a model and writes its progress to standard output as lines of JSON.
//
// `steno` starts it, so that the command itself links no networking code. It is not meant for users: it has only this
// option, and its output is for programs. The exit code is 0 if the model is installed, 1 otherwise. If its output no
// longer has a reader, SIGPIPE ends it: downloaded data stays, and the next run resumes.

/// A line of the output: progress, the folder of the installed model, or an error.
private struct Report: Encodable {
    var progress: DownloadProgress?
    var folder: String?
    var error: Failure?

    struct Failure: Encodable {
        var code: String
        var message: String
    }

    func write() {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? encoder.encode(self) else { return }
        FileHandle.standardOutput.write(line + Data("\n".utf8))
    }
}

/// The parent ignores this signal, and its children inherit that.
signal(SIGPIPE, SIG_DFL)

private let arguments = CommandLine.arguments.dropFirst()
private let names = arguments.filter { !$0.hasPrefix("--") }
guard names.count == 1, let name = names.first, arguments.allSatisfy({ !$0.hasPrefix("--") || $0 == "--force" }) else {
    FileHandle.standardError.write(Data("steno-download is started by steno: steno models download NAME\n".utf8))
    exit(EX_USAGE)
}

Task {
    do {
        let folder = try await ModelDownloader().download(name, force: arguments.contains("--force")) {
            Report(progress: $0).write()
        }
        Report(folder: folder.path).write()
        exit(EXIT_SUCCESS)
    } catch let error as StenoError {
        Report(error: .init(code: error.code.description, message: error.message)).write()
    } catch {
        Report(error: .init(code: "downloadFailed", message: error.localizedDescription)).write()
    }
    exit(EXIT_FAILURE)
}
dispatchMain()
