import Foundation
import Steno

/// What answers a line of a list: one line of JSON.
struct ListAnswer: Sendable {
    /// What every answer says of the model.
    struct Model: Sendable {
        /// The name that finds it.
        let name: String
        /// SHA-256 of its weights.
        let version: String
        let precision: String
    }

    let model: Model

    /// The answer to a line whose recording is done.
    func line(_ begun: RecordingList.Begun, _ result: FedResult) -> String {
        let head = fields(id: begun.id, line: begun.line) + [("compute_seconds", JSONText.time(result.seconds))]
        switch result.transcript {
        case .success(let transcript): return TranscriptFormat.json.text(of: transcript).jsonLine(after: head)
        case .failure(let error): return JSONText.object(head + [("error", Self.object(error))]) + "\n"
        }
    }

    /// The answer to a line that names no recording.
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
