import CSteno
import Foundation
import Steno
import StenoCore

/// A transcription that runs, and its events for one reader.
///
/// `@unchecked Sendable`: the task is set once, before the job has a reader; the rest is used only by the reader.
final class TranscriptionJob: @unchecked Sendable {
    enum Event: Sendable {
        case file(FileEvent)
        case language(LanguageDetection)
    }

    private let queue = EventQueue<Event>()
    private var task: Task<Void, Never>?
    /// The memory of the event that the reader has.
    private var current: EventMemory?
    /// Whether ``run(_:)`` reads the events.
    private var isRunning = false
    /// The transcript, once the reader has got its last event.
    private(set) var transcript: Transcript?

    init(_ work: @escaping @Sendable (EventQueue<Event>) async throws -> Void) {
        task = Task.detached { [queue] in
            do {
                try await work(queue)
                queue.end(.success(()))
            } catch {
                queue.end(.failure(error))
            }
        }
    }

    deinit { cancel() }

    convenience init(
        _ transcriber: Transcriber, _ options: TranscriptionOptions, _ open: @escaping Transcriber.SourceOpener
    ) {
        self.init { queue in
            for try await event in transcriber.events(options: options, from: open) { queue.put(.file(event)) }
        }
    }

    func cancel() {
        task?.cancel()
        queue.cancel()
    }

    /// The next event, whose memory lives until the next call.
    ///
    /// - Throws: `StenoError.engineState` inside the function of ``run(_:)``, whose event it would free.
    func next(_ seconds: Double) throws -> (status: Int, event: UnsafePointer<steno_event>?) {
        try checkReader()
        return try read(seconds)
    }

    /// Passes every event to a function, which returns whether to continue.
    ///
    /// - Throws: As ``next(_:)`` does.
    func run(_ onEvent: (UnsafePointer<steno_event>) -> Bool) throws {
        try checkReader()
        isRunning = true
        defer { isRunning = false }
        while let event = try read(-1).event {
            if !onEvent(event) { cancel() }
        }
    }

    private func checkReader() throws {
        guard !isRunning else {
            throw StenoError(
                .engineState,
                "The job's events are being read by steno_job_run. Its function gets each of them; do not read them there."
            )
        }
    }

    private func read(_ seconds: Double) throws -> (status: Int, event: UnsafePointer<steno_event>?) {
        current = nil
        switch try queue.next(seconds) {
        case .timedOut: return (STENO_TIMED_OUT, nil)
        case .end: return (STENO_END, nil)
        case .element(let event):
            if case .file(let event) = event, let transcript = event.transcript { self.transcript = transcript }
            let memory = try EventMemory(event)
            current = memory
            return (STENO_OK, memory.event)
        }
    }
}
