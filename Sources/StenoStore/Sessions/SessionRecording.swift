public import Foundation
public import Steno

/// A live session that is written into a history while it is spoken.
///
/// Nothing here holds up the session or ends it: when the disk is full, the captions continue, the failure is reported
/// once, and the next final text is stored with everything that is still missing.
public final class SessionRecording: Sendable {
    /// The session in the history.
    public let id: UUID
    private let work: Task<Bool, Never>

    init(_ writer: SessionWriter, _ events: TranscriptionEvents, onFailure: @escaping @Sendable (any Error) -> Void) {
        id = writer.id
        work = Task {
            var recorder = EventRecorder(writer, onFailure: onFailure)
            for await event in events { await recorder.take(event) }
            return await recorder.finish()
        }
    }

    /// Returns when the session has ended and is stored; false if some of it could not be stored.
    @discardableResult
    public func wait() async -> Bool { await work.value }
}

extension TranscriptStore {
    /// Keeps a live session in the history, from now to its end.
    ///
    /// - Parameters:
    ///   - session: A running session; the text that it has already is stored first.
    ///   - title: The title; may be empty.
    ///   - source: What is transcribed, such as `microphone`.
    ///   - language: The language's code, if it was given.
    ///   - model: The name of the model.
    ///   - onFailure: Called when text cannot be stored, once until it can be stored again.
    /// - Throws: `StenoError.outputFailed` if not even the beginning can be stored.
    public func record(
        _ session: LiveTranscription, title: String = "", source: String = "", language: String? = nil,
        model: String? = nil, onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) async throws -> SessionRecording {
        // First the reader, then the disk: no event is missed between.
        let events = session.events
        let writer = try await begin(title: title, source: source, language: language, model: model)
        return SessionRecording(writer, events, onFailure: onFailure)
    }
}

/// Stores the text of events; what could not be stored is tried again with the next final text.
struct EventRecorder {
    private let writer: SessionWriter
    private let onFailure: @Sendable (any Error) -> Void
    private var missing: [TranscriptSegment] = []
    private var nextID = 0
    private var isFailing = false
    private var position = 0.0
    /// The position from which partial text is stored again: once a second is enough, and spares the disk.
    private var nextPartial = 0.0

    init(_ writer: SessionWriter, onFailure: @escaping @Sendable (any Error) -> Void) {
        (self.writer, self.onFailure) = (writer, onFailure)
    }

    mutating func take(_ event: TranscriptionEvent) async {
        position = max(position, event.position)
        if let text = event.snapshot { return await store(text.finals) }
        if let language = event.language {
            await attempt { try await $0.setLanguage(language.language) }
        }
        switch event.kind {
        case .final: await store(event.segments)
        case .partial where event.position >= nextPartial:
            nextPartial = event.position + 1
            let text = event.partialText
            await attempt { try await $0.setPartial(text) }
        default: break
        }
    }

    /// Stores what is missing and marks the session as finished; false if that was not possible.
    mutating func finish() async -> Bool {
        await store([])
        guard missing.isEmpty else { return false }
        let duration = position
        return await attempt { try await $0.finish(duration: duration) }
    }

    private mutating func store(_ segments: [TranscriptSegment]) async {
        // A snapshot has again what was stored before it.
        missing += segments.filter { $0.id >= nextID }
        nextID = max(nextID, (missing.last?.id ?? -1) + 1)
        let all = missing
        guard !all.isEmpty, await attempt({ try await $0.append(all) }) else { return }
        missing = []
    }

    @discardableResult
    private mutating func attempt(_ body: (SessionWriter) async throws -> Void) async -> Bool {
        do {
            try await body(writer)
            isFailing = false
            return true
        } catch {
            if !isFailing { onFailure(error) }
            isFailing = true
            return false
        }
    }
}
