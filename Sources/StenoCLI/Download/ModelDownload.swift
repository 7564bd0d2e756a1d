import Foundation
import Steno
import StenoModelStore

/// Downloads a model with the program `steno-download`, which is installed beside this one.
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
        guard let program = Self.program else {
            throw StenoError(
                .resourceMissing,
                "The program steno-download is missing beside steno: install both, or build it: "
                    + "swift build -c release --product steno-download.")
        }
        let process = Process()
        process.executableURL = program
        process.arguments = (force ? ["--force"] : []) + [name]
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        do { try process.run() } catch {
            throw StenoError(.downloadFailed, "\(program.path) cannot be started: \(error.localizedDescription)")
        }
        let running = RunningProcess(process)
        do {
            return try await withTaskCancellationHandler {
                try await read(output.fileHandleForReading, running, DownloadLine(name: name), console)
            } onCancel: {
                running.end()
            }
        } catch let error as CancellationError {
            console.remark("\(name): interrupted; what has arrived stays, and the same command continues.")
            throw error
        }
    }

    /// The program beside this one, links followed.
    static var program: URL? {
        let own = Bundle.main.executableURL?.resolvingSymlinksInPath()
        let program = own?.deletingLastPathComponent().appendingPathComponent("steno-download")
        return program.flatMap { FileManager.default.isExecutableFile(atPath: $0.path) ? $0 : nil }
    }

    /// Reads the program's output to its end, on a thread of its own.
    private func read(
        _ output: FileHandle, _ running: RunningProcess, _ line: DownloadLine, _ console: Console
    ) async throws -> URL {
        try await Worker.run("steno.download", stack: .shallow) { flag in
            var last: Report?
            var rest = Data()
            while true {
                let piece = output.availableData
                guard !piece.isEmpty else { break }
                rest.append(piece)
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    last = try? JSONDecoder().decode(Report.self, from: rest[..<end])
                    rest = Data(rest[rest.index(after: end)...])
                    if let progress = last?.progress { console.showProgress(line.text(progress)) }
                }
            }
            running.wait()
            console.clearProgress()
            if flag.isCancelled { throw CancellationError() }
            if let folder = last?.folder { return URL(fileURLWithPath: folder) }
            if let error = last?.error { throw StenoError(.init(error.code), error.message) }
            throw StenoError(.downloadFailed, "The download of \(name) was ended; the same command continues it.")
        }
    }
}

/// A process that is ended from another thread.
///
/// `@unchecked Sendable`: `Process` may be asked to end from any thread, and only one thread waits.
private final class RunningProcess: @unchecked Sendable {
    private let process: Process

    init(_ process: Process) { self.process = process }

    func end() { process.terminate() }
    func wait() { process.waitUntilExit() }
}
