public import Foundation
import GRDB
public import Steno

/// A history of transcripts on disk, which survives whatever ends the program.
///
///     let store = try await TranscriptStore.open()
///     let session = try await transcriber.live(.microphone())
///     let recording = try await store.record(session, title: "Lunch")
///     …
///     for session in try await store.sessions() { print(session.title, session.state.rawValue) }
///
/// The history is a SQLite database in WAL mode with `synchronous = FULL`: what ``SessionWriter/append(_:)`` has
/// acknowledged is on the disk, also after a power failure. (`NORMAL` would be faster by the time of one flush, some
/// milliseconds, and could lose the last acknowledged texts then; final text comes about once a second.)
///
/// Several programs may use one history at a time. A session whose program ended before the session did is
/// ``StoredSession/State/interrupted``: it can be read, exported and continued.
public final class TranscriptStore: Sendable {
    /// The folder of the history.
    public let folder: URL
    /// Whether texts are encrypted.
    public var isEncrypted: Bool { sealer.isSealing }

    let files: StoreFolder
    let pool: DatabasePool
    let sealer: Sealer
    let index: SearchIndex

    /// Opens a history, which is made if it does not exist.
    ///
    /// - Parameters:
    ///   - folder: The folder of the history; nil is the user's own.
    ///   - key: The key of an encrypted history; a new history is encrypted if there is one.
    /// - Throws: `StenoError`: `wrongKey` when the key does not fit, `historyDamaged` when the database is damaged,
    ///   `outputFailed` when it cannot be written.
    public static func open(_ folder: URL? = nil, key: StoreKey = .none) async throws -> TranscriptStore {
        let files = try StoreFolder(folder ?? StoreFolder.standard())
        let pool: DatabasePool
        do {
            pool = try DatabasePool(path: files.database.path, configuration: configuration)
            try Schema.migrator.migrate(pool)
        } catch {
            throw StoreFailure.explain(error, "The history \(files.database.path) cannot be opened")
        }
        let sealer = try await StoreIdentity.sealer(for: key, in: pool)
        let store = TranscriptStore(files, pool, sealer)
        try await store.markInterrupted()
        return store
    }

    private init(_ files: StoreFolder, _ pool: DatabasePool, _ sealer: Sealer) {
        (folder, self.files, self.pool, self.sealer) = (files.url, files, pool, sealer)
        index = SearchIndex(isInMemory: sealer.isSealing)
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "steno.history"
        // Another program may be writing, for a few milliseconds.
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        return configuration
    }

    // MARK: Reading

    /// The sessions, the newest first.
    public func sessions() async throws -> [StoredSession] {
        try await markInterrupted()
        return try await read { try self.sessions(in: $0) }
    }

    /// A session.
    ///
    /// - Throws: `StenoError.sessionNotFound`.
    public func session(_ id: UUID) async throws -> StoredSession {
        try await markInterrupted()
        return try await read { try self.session(self.row(id, in: $0), in: $0) }
    }

    /// The segments of a session, in order.
    ///
    /// - Throws: `StenoError`: `sessionNotFound`, `historyDamaged` when a text was changed by something else.
    public func segments(of id: UUID) async throws -> [StoredSegment] {
        try await read { database in
            try self.segmentRows(of: self.row(id, in: database), in: database)
                .map { try self.segment($0, of: id) }
        }
    }

    /// The text of a session that was not final yet when it was stored last; empty if there is none.
    public func partialText(of id: UUID) async throws -> String {
        try await read { database in
            guard let partial = try self.row(id, in: database).partial else { return "" }
            return try self.sealer.open(partial, as: String.self, at: SessionRow.partialPlace(id))
        }
    }

    /// The transcript of a session with its edited texts, one segment for each utterance; to be written in any format.
    ///
    /// - Throws: As ``segments(of:)``.
    public func transcript(of id: UUID) async throws -> Transcript {
        let session = try await session(id)
        return try await Transcript(session, segments(of: id))
    }

    /// The sessions now and after every change, for a list that is always current; the newest first.
    ///
    /// Changes that another program makes are seen with the next change of this one.
    public var changes: some AsyncSequence<[StoredSession], any Error> & Sendable {
        ValueObservation.tracking { [self] in try sessions(in: $0) }.values(in: pool)
    }

    // MARK: Changing

    /// Gives a session a title.
    public func rename(_ id: UUID, _ title: String) async throws {
        try await write { database in
            var row = try self.row(id, in: database)
            var content = try self.content(of: row)
            content.title = title
            row.content = try self.sealer.seal(content, at: SessionRow.place(id))
            try row.update(database)
        }
    }

    /// Sets the edited text of a segment, and leaves the recognised one as it is; nil takes the edit back.
    public func edit(_ segment: Int, of id: UUID, _ text: String?) async throws {
        try await write { database in
            guard
                var row = try SegmentRow.filter(
                    Column("session_id") == self.row(id, in: database).id && Column("number") == segment
                ).fetchOne(database)
            else { throw StenoError(.invalidOption, "The session has no segment \(segment).") }
            let place = SegmentRow.place(id, segment)
            var content = try self.sealer.open(row.content, as: SegmentContent.self, at: place)
            content.edited = text
            row.content = try self.sealer.seal(content, at: place)
            try row.update(database)
            if let rowID = row.id { try self.index.replace(rowID, with: content.shown, in: database) }
        }
    }

    /// Deletes sessions with their audio, and leaves nothing of them in the files.
    ///
    /// Freed pages are overwritten with zeros, the search index is rewritten without them, and the write-ahead log is emptied.
    /// - Throws: `StenoError.sessionInUse` when one of them is being recorded; then none is deleted.
    public func delete(_ ids: [UUID]) async throws {
        let locks = try ids.map { id in
            guard let lock = try files.lock(id) else {
                throw StenoError(.sessionInUse, "The session \(id) is being recorded. Stop it first.")
            }
            return lock
        }
        defer { withExtendedLifetime(locks) {} }
        try await write { database in
            for id in ids {
                let row = try self.row(id, in: database)
                let segments = try self.segmentRows(of: row, in: database).compactMap(\.id)
                try self.index.remove(segments, in: database)
                _ = try row.delete(database)
            }
            try self.index.forgetRemoved(in: database)
        }
        for id in ids { try? FileManager.default.removeItem(at: files.audio(of: id)) }
        try await emptyLog()
    }

    /// Deletes the sessions that ended before a time; returns how many.
    @discardableResult
    public func deleteSessions(endedBefore date: Date) async throws -> Int {
        let old = try await sessions().filter { $0.state != .recording && ($0.end ?? $0.start) < date }
        try await delete(old.map(\.id))
        return old.count
    }

    /// Moves the write-ahead log into the database, so that deleted texts are in neither.
    private func emptyLog() async throws {
        do {
            try await pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        } catch {
            throw StoreFailure.explain(error, "Deleted, but the log of the history could not be emptied")
        }
    }
}

// MARK: - Inside

extension TranscriptStore {
    /// Sessions that are being recorded by nobody were interrupted.
    func markInterrupted() async throws {
        let recorded = try await read {
            try SessionRow.filter(Column("state") == StoredSession.State.recording.rawValue).fetchAll($0)
        }
        let ended = try recorded.filter { row in
            guard let id = UUID(uuidString: row.uuid) else { return false }
            return try files.lock(id) != nil
        }
        guard !ended.isEmpty else { return }
        try await write { database in
            for var row in ended {
                row.state = StoredSession.State.interrupted.rawValue
                row.ended = row.started + row.duration
                try row.update(database, columns: ["state", "ended"])
            }
        }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await pool.read(body)
        } catch {
            throw StoreFailure.explain(error, "The history cannot be read")
        }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await pool.write(body)
        } catch {
            throw StoreFailure.explain(error, "The history cannot be written")
        }
    }

    func row(_ id: UUID, in database: Database) throws -> SessionRow {
        guard let row = try SessionRow.filter(Column("uuid") == id.uuidString).fetchOne(database) else {
            throw StenoError(.sessionNotFound, "The history has no session \(id).")
        }
        return row
    }

    func segmentRows(of session: SessionRow, in database: Database) throws -> [SegmentRow] {
        try SegmentRow.filter(Column("session_id") == session.id).order(Column("number")).fetchAll(database)
    }

    func content(of row: SessionRow) throws -> SessionRow.Content {
        guard let id = UUID(uuidString: row.uuid) else {
            throw StenoError(.historyDamaged, "A session of the history has the identity \(row.uuid), which is none.")
        }
        return try sealer.open(row.content, as: SessionRow.Content.self, at: SessionRow.place(id))
    }

    func segment(_ row: SegmentRow, of id: UUID) throws -> StoredSegment {
        let content = try sealer.open(row.content, as: SegmentContent.self, at: SegmentRow.place(id, row.number))
        return StoredSegment(
            id: row.number, utterance: row.utterance, start: row.start, end: row.end, recognizedText: content.text,
            editedText: content.edited, words: content.words, speaker: content.speaker)
    }

    private func sessions(in database: Database) throws -> [StoredSession] {
        try SessionRow.order(Column("started").desc, Column("id").desc).fetchAll(database)
            .map { try session($0, in: database) }
    }

    private func session(_ row: SessionRow, in database: Database) throws -> StoredSession {
        let content = try content(of: row)
        return StoredSession(
            id: UUID(uuidString: row.uuid) ?? UUID(), title: content.title, source: content.source,
            start: Date(timeIntervalSince1970: row.started), end: row.ended.map(Date.init(timeIntervalSince1970:)),
            duration: row.duration, language: row.language, model: row.model,
            state: StoredSession.State(rawValue: row.state),
            segmentCount: try SegmentRow.filter(Column("session_id") == row.id).fetchCount(database))
    }
}

extension Transcript {
    /// A stored session as a transcript, one segment for each utterance, with the edited texts.
    fileprivate init(_ session: StoredSession, _ stored: [StoredSegment]) {
        var segments: [Segment] = []
        var utterance: Int?
        for part in stored {
            // Words of an edited text would contradict it.
            let words = part.editedText == nil ? part.words : nil
            if part.utterance == utterance, let last = segments.indices.last {
                segments[last].end = max(segments[last].end, part.end)
                segments[last].text += part.text
                segments[last].words = segments[last].words.flatMap { known in words.map { known + $0 } }
            } else {
                segments.append(
                    Segment(id: segments.count, start: part.start, end: part.end, text: part.text, words: words))
            }
            utterance = part.utterance
        }
        self.init(language: session.language ?? "und", duration: session.duration, segments: segments)
    }
}
