#if Store
    public import Foundation
    import GRDB
    public import Steno

    extension TranscriptStore {
        /// Begins a session.
        ///
        /// - Parameters:
        ///   - title: Its title; may be empty.
        ///   - source: What is transcribed, such as `microphone` or a file's name.
        ///   - language: The language's code, if it is given.
        ///   - model: The name of the model.
        ///   - start: When the session begins.
        /// - Throws: `StenoError.outputFailed` when the history cannot be written.
        public func begin(
            title: String = "", source: String = "", language: String? = nil, model: String? = nil, start: Date = Date()
        ) async throws -> SessionWriter {
            let id = UUID()
            let lock = try lock(id)
            let content = try sealer.seal(SessionRow.Content(title: title, source: source), at: SessionRow.place(id))
            let row = try await write { database in
                var row = SessionRow(
                    uuid: id.uuidString, state: StoredSession.State.recording.rawValue,
                    started: start.timeIntervalSince1970,
                    language: language, model: model, content: content)
                try row.insert(database)
                return database.lastInsertedRowID
            }
            return SessionWriter(id, row: row, lock: lock, in: self)
        }

        /// Continues a session that was interrupted or finished.
        ///
        /// - Returns: The writer, and the transcript so far, from which times and ids continue
        ///   (`transcriber.live(_:continuing:)`).
        /// - Throws: `StenoError`: `sessionNotFound`; `sessionInUse` when it is being recorded; `historyDamaged`.
        public func resume(_ id: UUID) async throws -> (writer: SessionWriter, text: TranscriptAccumulator) {
            let lock = try lock(id)
            let (row, segments, duration) = try await write { database in
                var row = try self.row(id, in: database)
                row.state = StoredSession.State.recording.rawValue
                row.ended = nil
                try row.update(database)
                let segments = try self.segmentRows(of: row, in: database).map { try self.segment($0, of: id) }
                return (row.id ?? 0, segments, row.duration)
            }
            let finals = segments.map {
                TranscriptSegment(
                    id: $0.id, start: $0.start, end: $0.end, text: $0.recognizedText, isFinal: true, words: $0.words,
                    utterance: $0.utterance)
            }
            return (
                SessionWriter(id, row: row, lock: lock, in: self),
                TranscriptAccumulator(stored: finals, position: duration)
            )
        }

        /// Keeps others from recording into a session, continuing or deleting it.
        func lock(_ id: UUID) throws -> SessionLock {
            guard let lock = try files.lock(id) else {
                throw StenoError(.sessionInUse, "The session \(id) is being recorded. Stop it first.")
            }
            return lock
        }
    }
#endif
