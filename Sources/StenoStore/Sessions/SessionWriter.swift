public import Foundation
import GRDB
public import Steno

/// Writes one session into a history.
///
///     let writer = try await store.begin(title: "Lunch", source: "microphone")
///     try await writer.append(event.segments)      // it is on the disk when this returns
///     try await writer.finish()
///
/// The session is marked as being recorded as long as the writer lives; if the program ends before ``finish()``, the
/// session is interrupted.
public final class SessionWriter: Sendable {
    /// The session.
    public let id: UUID

    private let store: TranscriptStore
    private let row: Int64
    private let lock: SessionLock

    init(_ id: UUID, row: Int64, lock: SessionLock, in store: TranscriptStore) {
        (self.id, self.row, self.lock, self.store) = (id, row, lock, store)
    }

    /// Appends final segments, all or none; when it returns, they are on the disk.
    ///
    /// - Parameter segments: Segments with ids that the session does not have yet.
    /// - Throws: `StenoError.outputFailed`, as when the disk is full; the same segments can be appended again.
    public func append(_ segments: [TranscriptSegment]) async throws {
        guard !segments.isEmpty else { return }
        try await store.write { [self] database in
            for segment in segments {
                let content = SegmentContent(text: segment.text, words: segment.words)
                var stored = SegmentRow(
                    session: row, number: segment.id, utterance: segment.utterance, start: segment.start,
                    end: segment.end, content: try store.sealer.seal(content, at: SegmentRow.place(id, segment.id)))
                try stored.insert(database)
                if let rowID = stored.id { try store.index.add(rowID, content.shown, in: database) }
            }
            let end = segments.map(\.end).max() ?? 0
            // What was shown as partial text is part of the final one, or will be shown again.
            try database.execute(
                sql: "UPDATE session SET duration = MAX(duration, ?), partial = NULL WHERE id = ?", arguments: [end, row])
        }
    }

    /// Keeps the text that is not final yet, in place of the one before; if the program ends, it is what was shown last.
    public func setPartial(_ text: String) async throws {
        let sealed = text.isEmpty ? nil : try store.sealer.seal(text, at: SessionRow.partialPlace(id))
        try await update("partial = ?", [sealed])
    }

    /// Keeps the language of the session.
    public func setLanguage(_ code: String) async throws { try await update("language = ?", [code]) }

    /// Marks the session as finished; it then has no partial text.
    ///
    /// - Parameter duration: The seconds of audio; nil is the end of the last segment.
    public func finish(duration: Double? = nil) async throws {
        try await update(
            "state = ?, ended = ?, duration = MAX(duration, ?), partial = NULL",
            [StoredSession.State.finished.rawValue, Date().timeIntervalSince1970, duration ?? 0])
    }

    private func update(_ assignments: String, _ values: [(any DatabaseValueConvertible & Sendable)?]) async throws {
        try await store.write { [row] database in
            try database.execute(
                sql: "UPDATE session SET \(assignments) WHERE id = ?",
                arguments: StatementArguments(values) + StatementArguments([row]))
        }
    }
}

extension TranscriptStore {
    /// Begins a session.
    ///
    /// - Parameters:
    ///   - title: Its title; may be empty.
    ///   - source: What is transcribed, such as `microphone` or a file's name.
    ///   - language: The language's code, if it is given.
    ///   - model: The name of the model.
    ///   - start: When the session begins.
    public func begin(
        title: String = "", source: String = "", language: String? = nil, model: String? = nil, start: Date = Date()
    ) async throws -> SessionWriter {
        let id = UUID()
        guard let lock = try files.lock(id) else {
            throw StenoError(.sessionInUse, "The lock of a new session is taken; try again.")
        }
        let content = try sealer.seal(SessionRow.Content(title: title, source: source), at: SessionRow.place(id))
        let row = try await write { database in
            var row = SessionRow(
                uuid: id.uuidString, state: StoredSession.State.recording.rawValue, started: start.timeIntervalSince1970,
                duration: 0, language: language, model: model, content: content)
            try row.insert(database)
            return row.id
        }
        guard let row else { throw StenoError(.outputFailed, "The session could not be stored.") }
        return SessionWriter(id, row: row, lock: lock, in: self)
    }

    /// Continues a session that was interrupted or finished.
    ///
    /// - Returns: The writer, and the transcript so far, from which times and ids continue
    ///   (`transcriber.live(_:continuing:)`).
    /// - Throws: `StenoError`: `sessionNotFound`; `sessionInUse` when it is being recorded.
    public func resume(_ id: UUID) async throws -> (writer: SessionWriter, text: TranscriptAccumulator) {
        guard let lock = try files.lock(id) else {
            throw StenoError(.sessionInUse, "The session \(id) is being recorded by another program.")
        }
        let (row, segments) = try await write { database in
            var row = try self.row(id, in: database)
            row.state = StoredSession.State.recording.rawValue
            row.ended = nil
            try row.update(database)
            return (row, try self.segmentRows(of: row, in: database).map { try self.segment($0, of: id) })
        }
        let finals = segments.map {
            TranscriptSegment(
                id: $0.id, start: $0.start, end: $0.end, text: $0.recognizedText, isFinal: true, words: $0.words,
                utterance: $0.utterance)
        }
        return (
            SessionWriter(id, row: row.id ?? 0, lock: lock, in: self),
            TranscriptAccumulator(stored: finals, position: row.duration)
        )
    }
}
