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

    /// Downloads the model and shows the progress; returns its folder.
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

/// The progress line of a download: a bar, bytes, rate, time left.
struct DownloadLine: Sendable {
    let name: String

    private static let barWidth = 24

    func text(_ progress: DownloadProgress) -> String {
        switch progress.phase {
        case .waiting: return "\(name)  another process is downloading it; waiting"
        case .installed: return "\(name)  installed"
        case .downloading: break
        default: return "\(name)  asking for the list of its files"
        }
        guard let fraction = progress.fraction else { return "\(name)  \(ByteCount(progress.received))" }
        let filled = Int(Double(Self.barWidth) * fraction)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.barWidth - filled)
        var parts = [
            name, bar, "\(Int(fraction * 100)) %", "\(ByteCount(progress.received)) of \(ByteCount(progress.size))",
        ]
        if let rate = progress.bytesPerSecond, rate >= 1 { parts.append("\(ByteCount(Int(rate)))/s") }
        if let seconds = progress.secondsLeft, seconds < 360_000 {
            parts.append("\(ProgressEstimate.clock(seconds)) left")
        }
        return parts.joined(separator: "  ")
    }
}

/// Handles a missing model: on a terminal it offers to download it; elsewhere the error names the command that does.
struct MissingModel {
    let name: String
    private let reference: ModelReference

    /// - Returns: Nil if the name cannot be downloaded, or downloads are forbidden.
    init?(_ name: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let settings = try? HubSettings(environment: environment), !settings.isOffline,
            let reference = try? ModelReference(name, endpoint: settings.endpoint)
        else { return nil }
        self.name = name
        self.reference = reference
    }

    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && StandardStream.error.isTerminal }

    /// The question: `small is not on this machine. Download about 486 MB from … now? [Y/n]`.
    var question: String {
        let size = reference.known.map { "about \(ByteCount($0.approximateSize)) " } ?? ""
        let source =
            switch reference.place {
            case .repository(let repository, _): repository
            case .address(let url): url.host ?? "the network"
            }
        return "\(name) is not on this machine. Download \(size)from \(source) now? [Y/n] "
    }

    /// Asks, and reads the answer; an empty line means yes, the end of the input means no.
    func ask(_ console: Console) async -> Bool {
        console.ask("steno: " + question)
        await console.written()
        let answer = try? await Worker.run("steno.answer", stack: .shallow) { _ in readLine() ?? "no" }
        return ["", "y", "yes"].contains((answer ?? "no").lowercased().trimmingCharacters(in: .whitespaces))
    }
}
