#if Store
    public import Foundation
    import GRDB
    public import Steno

    /// A history of transcripts on disk, which survives crashes and power failures.
    ///
    ///     let store = try await TranscriptStore.open()
    ///     let (session, recording) = try await transcriber.live(.microphone(), into: store.begin(title: "Lunch"))
    ///     // …
    ///     for session in try await store.sessions() { print(session.title, session.state.rawValue) }
    ///
    /// The history is a SQLite database in WAL mode with `synchronous = FULL`: when
    /// ``SessionWriter/append(_:language:partial:)`` returns, the text is on disk and survives a power failure.
    /// (`NORMAL` would save one flush of a few milliseconds, but could lose the last texts; final text arrives about
    /// once a second.)
    ///
    /// Several programs may use a history at the same time. If a program ends before its session, the session is
    /// ``StoredSession/State/interrupted``: it can be read, exported and continued.
    public final class TranscriptStore: Sendable {
        /// The folder of the history.
        public let folder: URL
        /// Whether texts and audio are encrypted.
        public var isEncrypted: Bool { sealer.isSealing }

        let files: StoreFolder
        let pool: DatabasePool
        let sealer: Sealer
        let index: SearchIndex
        let logWait: LogWait

        /// The user's history: the folder in `STENO_HISTORY`, or else `Library/Application Support/Steno/History` on
        /// Apple systems and `steno/history` in `$XDG_DATA_HOME` or `~/.local/share` on Linux.
        public static var standardFolder: URL { StoreFolder.standard() }

        /// Whether a folder contains a history; it changes nothing on disk.
        public static func exists(_ folder: URL = standardFolder) -> Bool {
            FileManager.default.fileExists(atPath: StoreFolder.database(in: folder).path)
        }

        /// Opens a history, and creates it if it does not exist.
        ///
        /// - Parameters:
        ///   - folder: The folder of the history; by default the user's (``standardFolder``).
        ///   - key: The key of an encrypted history; a new history is encrypted if a key is given.
        /// - Throws: `StenoError`: `wrongKey` if the key is wrong, `historyDamaged` if the database is damaged,
        ///   `historyUnsupported` if a newer version created it, `outputFailed` if it cannot be written.
        public static func open(_ folder: URL = standardFolder, key: StoreKey = .none) async throws -> TranscriptStore {
            try await open(folder, key: key, logWait: LogWait())
        }

        static func open(_ folder: URL, key: StoreKey, logWait: LogWait) async throws -> TranscriptStore {
            // Blocking work: the disk, locks, and deriving a key.
            try await Worker.run("steno.store", stack: .shallow) { _ in
                try TranscriptStore(StoreFolder(folder), key, logWait)
            }
        }

        private init(_ files: StoreFolder, _ key: StoreKey, _ logWait: LogWait) throws {
            (self.files, self.logWait) = (files, logWait)
            folder = files.url
            pool = try StoreConnection.open(files)
            sealer = try StoreIdentity.sealer(for: key, in: pool)
            index = try SearchIndex(isInMemory: sealer.isSealing)
        }

        // MARK: Reading

        /// The sessions, newest first, including those with a damaged record, whose state is
        /// ``StoredSession/State/damaged``.
        ///
        /// - Throws: `StenoError.historyDamaged` if the database is damaged.
        public func sessions() async throws -> [StoredSession] {
            try await read { database in
                try Row.fetchAll(database, SessionRow.order(Column("started").desc, Column("id").desc)).map(self.listed)
            }
        }

        /// The sessions that ended before a time, newest first, without those being recorded.
        ///
        /// - Throws: As ``sessions()``.
        public func sessions(endedBefore date: Date) async throws -> [StoredSession] {
            try await sessions().filter { $0.state != .recording && ($0.end ?? $0.start) < date }
        }

        /// A session.
        ///
        /// - Throws: `StenoError`: `sessionNotFound`, `historyDamaged` if its record is damaged; it can then only be
        ///   deleted.
        public func session(_ id: UUID) async throws -> StoredSession {
            try await read { try self.session(self.row(id, in: $0)) }
        }

        /// The segments of a session, in order.
        ///
        /// - Throws: `StenoError`: `sessionNotFound`, `historyDamaged` if a text was changed by another program.
        public func segments(of id: UUID) async throws -> [StoredSegment] {
            try await read { database in
                try self.segmentRows(of: self.row(id, in: database), in: database).map { try self.segment($0, of: id) }
            }
        }

        /// The last stored partial text of a session; empty if there is none.
        ///
        /// - Throws: As ``segments(of:)``.
        public func partialText(of id: UUID) async throws -> String {
            try await read { database in
                guard let partial = try self.row(id, in: database).partial else { return "" }
                return try self.sealer.open(partial, as: String.self, at: SessionRow.partialPlace(id))
            }
        }

        /// The transcript of a session with its edited texts, with one segment per utterance and speaker, for export in
        /// any format.
        ///
        /// - Throws: As ``segments(of:)``.
        public func transcript(of id: UUID) async throws -> Transcript {
            let session = try await session(id)
            return try await Transcript(session, segments(of: id))
        }

        /// The sessions now and after every change, newest first, for a list that is always current.
        ///
        /// Each change reads the changed sessions only, and partial text, which is not in the list, none at all. Changes
        /// by another program appear with the next change by this one. So do interruptions, which change only a
        /// session's lock and not the database.
        public var changes: StoredSessionChanges { StoredSessionChanges(store: self) }
    }

    // MARK: - Inside

    extension TranscriptStore {
        func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
            do { return try await pool.read(body) } catch {
                throw DatabaseFailure.explain(error, "The history cannot be read")
            }
        }

        func write<Value: Sendable>(
            advice: String = DatabaseFailure.room, _ body: @escaping @Sendable (Database) throws -> Value
        ) async throws -> Value {
            do { return try await pool.write(body) } catch {
                throw DatabaseFailure.explain(error, "The history cannot be written", advice: advice)
            }
        }

        /// - Throws: `StenoError`: `sessionNotFound`, `historyDamaged`.
        func row(_ id: UUID, in database: Database) throws -> SessionRow {
            let key = try key(of: id, in: database)
            guard let row = try Row.fetchOne(database, SessionRow.filter(Column("id") == key)) else {
                throw Self.notFound(id)
            }
            return try SessionRow(checking: row)
        }

        /// The row number of a session, even of a damaged one.
        ///
        /// - Throws: `StenoError.sessionNotFound`.
        func key(of id: UUID, in database: Database) throws -> Int64 {
            guard let key = try findKey(of: id, in: database) else { throw Self.notFound(id) }
            return key
        }

        /// The row number of a session; nil if there is no such session.
        func findKey(of id: UUID, in database: Database) throws -> Int64? {
            let statement = try database.cachedStatement(sql: "SELECT id FROM session WHERE uuid = ?")
            if let key = try Int64.fetchOne(statement, arguments: [id.uuidString]) { return key }
            // A session with a damaged identity is listed under another one.
            let rows = try Row.fetchAll(database, sql: "SELECT id, uuid FROM session")
            guard let row = rows.first(where: { SessionRow.identity(of: $0) == id }) else { return nil }
            let key: Int64 = row["id"]
            return key
        }

        private static func notFound(_ id: UUID) -> StenoError {
            StenoError(.sessionNotFound, "The history has no session \(id). It may have been deleted.")
        }

        func segmentRows(of session: SessionRow, in database: Database) throws -> [SegmentRow] {
            let request = SegmentRow.filter(Column("session_id") == session.id).order(Column("number"))
            return try Row.fetchAll(database, request).map(SegmentRow.init(checking:))
        }

        func content(of row: SessionRow) throws -> SessionRow.Content {
            try sealer.open(row.content, as: SessionRow.Content.self, at: SessionRow.place(identity(of: row)))
        }

        func segment(_ row: SegmentRow, of id: UUID) throws -> StoredSegment {
            try row.checkTimes()
            let content = try sealer.open(row.content, as: SegmentContent.self, at: SegmentRow.place(id, row.number))
            return StoredSegment(
                id: row.number, utterance: row.utterance, start: row.start, end: row.end, recognizedText: content.text,
                editedText: content.edited, words: content.words, language: content.language, speaker: content.speaker)
        }

        /// A session as it is listed, whatever its row contains.
        func listed(_ row: Row) -> StoredSession {
            do { return try session(SessionRow(checking: row)) } catch {
                // Only the row itself can cause an error here, and it must not hide the others.
                return StoredSession(damaged: row)
            }
        }

        private func session(_ row: SessionRow) throws -> StoredSession {
            let id = try identity(of: row)
            let content = try content(of: row)
            var (state, end) = (StoredSession.State(rawValue: row.state), row.ended)
            if state == .recording, !files.isLocked(id) { (state, end) = (.interrupted, row.started + row.duration) }
            return StoredSession(
                id: id, title: content.title, source: content.source, start: Date(timeIntervalSince1970: row.started),
                end: end.map(Date.init(timeIntervalSince1970:)), duration: row.duration, language: row.language,
                model: row.model, state: state, segmentCount: row.segments)
        }

        private func identity(of row: SessionRow) throws -> UUID {
            guard let id = UUID(uuidString: row.uuid) else { throw SessionRow.damaged(row.uuid, nil) }
            return id
        }
    }
#endif
