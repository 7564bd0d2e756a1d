import Foundation
import Steno
import StenoCommandLine
import StenoModelStore

/// Transcribes the recordings of a list, and answers each with a line of JSON as soon as it is done.
struct ListJob {
    let transcriber: Transcriber
    let model: LocatedModel
    let options: ListOptions
    let reading: InputReading
    /// The number of recordings decoded at once.
    let recordings: Int
    let console: Console

    /// Transcribes until the list ends or SIGTERM is received.
    ///
    /// - Returns: The command's exit code: 0 if every line was answered, even if the answers are errors.
    func run(_ list: OwnedDescriptor) async throws -> Int32 {
        let answer = ListAnswer(model: try await describeModel())
        let feed = try RecordingList(list, options: options, reading: reading) { [console] number, invalid in
            console.printNow(answer.line(number, invalid))
        }
        // SIGTERM stops reading the list, and the recordings already begun are finished; other signals cancel.
        console.endGently(on: { $0 == .signal(SIGTERM) }, feed.stop)
        let watch = console.watchReader()
        defer { watch?.end() }
        try await transcriber.transcribe(
            feed, lanes: recordings, options: options.options(), channels: options.separatesChannels ? feed.open : nil
        ) { [console] number, event in
            guard let result = event.result, let begun = feed.finish(number) else { return }
            console.printNow(answer.line(begun, result))
            console.verbose(Self.summary(begun, result))
        }
        if let failure = feed.failure {
            console.fail("the list", failure)
            return 1
        }
        return console.endingSignal.map { 128 + $0 } ?? 0
    }

    private func describeModel() async throws -> ListAnswer.Model {
        let folder = model.folder
        let version = try await Worker.run("steno.hash", stack: .shallow) { flag in
            try ModelVersion.of(folder) { flag.isCancelled }
        }
        return ListAnswer.Model(
            name: model.name, version: version, precision: transcriber.information.precision.rawValue)
    }

    private static func summary(_ begun: RecordingList.Begun, _ result: FedResult) -> String {
        let audio = (try? result.transcript.get())?.duration ?? 0
        return String(format: "line \(begun.line): %.1f s of audio in %.1f s", audio, result.seconds)
    }
}

/// Answers lines of a list, each with one line of JSON.
struct ListAnswer: Sendable {
    /// What every answer reports about the model.
    struct Model: Sendable {
        let name: String
        /// SHA-256 of its weights.
        let version: String
        let precision: String
    }

    let model: Model

    /// The answer to a line whose recording is done.
    func line(_ begun: RecordingList.Begun, _ result: FedResult) -> String {
        let head =
            fields(id: begun.recording.id, line: begun.line) + [("compute_seconds", JSONText.time(result.seconds))]
        switch result.transcript {
        case .success(let transcript): return TranscriptFormat.json.text(of: transcript).jsonLine(after: head)
        case .failure(let error): return JSONText.object(head + [("error", Self.object(error))]) + "\n"
        }
    }

    func line(_ number: Int, _ invalid: InvalidLine) -> String {
        let fields = fields(id: invalid.id ?? "null", line: number) + [("compute_seconds", "0.0")]
        return JSONText.object(fields + [("error", Self.object(invalid.error))]) + "\n"
    }

    private func fields(id: String, line: Int) -> [(String, String)] {
        [
            ("id", id), ("line", String(line)), ("model", JSONText.string(model.name)),
            ("model_version", JSONText.string(model.version)), ("precision", JSONText.string(model.precision)),
            ("steno_version", JSONText.string(StenoVersion.current)),
        ]
    }

    private static func object(_ error: any Error) -> String {
        let code = (error as? StenoError)?.code.description ?? "failed"
        let message = (error as? StenoError)?.message ?? error.localizedDescription
        return JSONText.object([("code", JSONText.string(code)), ("message", JSONText.string(message))])
    }
}

/// Identifies a model, wherever its files are.
enum ModelVersion {
    /// SHA-256 of the model's weights, its largest file: from the download's receipt, or else computed.
    ///
    /// - Throws: `CancellationError`, `SystemCallError`.
    static func of(_ location: URL, isCancelled: () -> Bool) throws -> String {
        if let known = ModelReceipt.read(location)?.files.max(by: { $0.size < $1.size }) {
            return "sha256-" + known.sha256
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: location.path)) ?? []
        let files = names.sorted().map { location.appendingPathComponent($0) }
        let sizes = files.map { (file: $0, size: FileBytes.size($0) ?? 0) }
        let weights = sizes.max { $0.size < $1.size }?.file ?? location
        return "sha256-" + (try FileBytes.hash(weights, isCancelled: isCancelled)).hasher.sha256Digits
    }
}
