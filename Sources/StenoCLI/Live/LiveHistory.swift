import Dispatch
import Foundation
import Steno
import StenoCommandLine

/// Saves the text of a live session in the history: it passes the events on to `steno-server history record`.
///
/// Only that program links the database. Failures do not delay or end the session: if the program is missing, fails or
/// is slow, the captions continue, and lost text is reported. If this process is killed, the program stores the events
/// received so far, and the session counts as interrupted.
struct LiveHistory: Sendable {
    let title: String
    let source: String
    let language: String?
    let model: String
    var program = InstalledProgram.find(ExternalCommand.program)

    /// The events about text, and the end of the session.
    private static let kinds: Set<TranscriptionEvent.Kind> = [
        .final, .utteranceEnd, .partial, .speakers, .language, .snapshot, .cleared, .state,
    ]

    /// Passes on all events; returns the failures, once all are stored.
    ///
    /// - Parameter report: Called on any thread, once per failure, while the session may continue.
    func keep(_ events: TranscriptionEvents, report: @escaping @Sendable (String) -> Void) async -> [String] {
        let failures = Monitor<[String]>([])
        let add: @Sendable (String) -> Void = { reason in
            let message = "Some text is not saved: \(reason)"
            let isNew = failures.update { failures in
                guard !failures.contains(message) else { return false }
                failures.append(message)
                return true
            }
            if isNew { report(message) }
        }
        guard let program else {
            add(
                "\(ExternalCommand.program) is missing. Build it in the folder of Steno's sources: "
                    + "swift build -c release --traits Server --product \(ExternalCommand.program).")
            return failures.current
        }
        do {
            let (process, writer) = try start(program, add)
            await pass(events, to: writer)
            let ending = try await Worker.run("steno.live.history", stack: .shallow) { _ in process.waitForEnding() }
            switch ending {
            case .success, .unknown: break
            case .notStarted(let error):
                add("\(program.path) cannot be started: \(error.localizedDescription).")
            case .failure(let message) where failures.current.isEmpty:
                add("\(ExternalCommand.program) ended: \(message). Text after that is not in the history.")
            case .failure: break
            }
        } catch {
            add(error.sentence)
        }
        return failures.current
    }

    /// Starts the program, and leaves it the only copy of its end of the pipe, so that writes fail once it has ended.
    private func start(
        _ program: URL, _ onMessage: @escaping @Sendable (String) -> Void
    ) throws -> (PipedProcess, writer: OwnedDescriptor) {
        let (input, writer) = try OwnedDescriptor.pipe()
        let process = try PipedProcess(
            program.path, arguments: arguments, input: input, patience: .seconds(5), onMessage: onMessage)
        return (process, writer)
    }

    private var arguments: [String] {
        // The parser does not accept an option with an empty value.
        let values = [("title", title), ("source", source), ("model", model), ("language", language ?? "")]
        return ["history", "record"] + values.compactMap { $1.isEmpty ? nil : "--\($0)=\($1)" }
    }

    /// Writes the events to the program until they end or it stops reading.
    private func pass(_ events: TranscriptionEvents, to writer: OwnedDescriptor) async {
        defer { writer.close() }
        let queue = DispatchQueue(label: "steno.live.history")
        for await event in events where Self.kinds.contains(event.kind) {
            // While the program is busy, events wait in their buffer, which is bounded and loses no text.
            let isRead = await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: (try? writer.write(event.jsonLine + "\n")) != nil) }
            }
            guard isRead else { return }
        }
    }
}
