#if Store
    public import Foundation
    import GRDB
    public import Steno

    extension TranscriptStore {
        /// Begins a session.
        ///
        /// - Parameters:
        ///   - title: Its title, which may be empty.
        ///   - source: The source of the audio, such as `microphone` or a file name.
        ///   - language: The language's code, if it is given.
        ///   - model: The name of the model.
        ///   - start: The start of the session.
        /// - Throws: `StenoError.outputFailed` if the history cannot be written.
        public func begin(
            title: String = "", source: String = "", language: String? = nil, model: String? = nil, start: Date = Date()
        ) async throws -> SessionWriter {
            let id = UUID()
            let lock = try await lock(id)
            let content = try sealer.seal(SessionRow.Content(title: title, source: source), at: SessionRow.place(id))
            let row = try await write { database in
                var row = SessionRow(
                    uuid: id.uuidString, state: StoredSession.State.recording.rawValue,
                    started: start.timeIntervalSince1970, language: language, model: model, content: content)
                try row.insert(database)
                return database.lastInsertedRowID
            }
            return SessionWriter(id, row: row, lock: lock, in: self)
        }

        /// Continues an interrupted or finished session.
        ///
        /// The times continue after the stored text and audio. `transcriber.live(_:into:)` does this automatically;
        /// otherwise, start the live session with the transcript (`transcriber.live(_:continuing:)`), because segments
        /// with existing ids are refused.
        ///
        /// - Returns: The writer, and the transcript so far.
        /// - Throws: `StenoError`: `sessionNotFound`; `sessionInUse` if it is being recorded; `historyDamaged`.
        public func resume(_ id: UUID) async throws -> (writer: SessionWriter, text: LiveTranscript) {
            let lock = try await lock(id)
            // For an interrupted session, only the end of its text is stored.
            let audioEnd = try await endOfAudio(of: id)
            let (row, former, segments, duration) = try await write { database in
                var row = try self.row(id, in: database)
                let recordings = try AudioPart.last(of: self.key(of: id, in: database), in: database)
                let former = SessionWriter.Former(
                    state: row.state, ended: row.ended, segments: row.segments, recordings: recordings)
                row.state = StoredSession.State.recording.rawValue
                row.ended = nil
                row.duration = max(row.duration, audioEnd)
                try row.update(database)
                let segments = try self.segmentRows(of: row, in: database).map { try self.segment($0, of: id) }
                return (row.id ?? 0, former, segments, row.duration)
            }
            let finals = segments.map {
                LiveSegment(
                    id: $0.id, start: $0.start, end: $0.end, text: $0.recognizedText, isFinal: true, words: $0.words,
                    utterance: $0.utterance)
            }
            let text = LiveTranscript(stored: finals, position: duration)
            return (SessionWriter(id, row: row, continuing: former, text, lock: lock, in: self), text)
        }

        /// Prevents others from recording into a session, continuing it or deleting it.
        func lock(_ id: UUID) async throws -> SessionLock {
            guard let lock = try await locks(of: [id])[id] else { throw Self.inUse(id) }
            return lock
        }

        /// The locks of sessions (``lock(_:)``), without those that are being recorded.
        func locks(of ids: [UUID]) async throws -> [UUID: SessionLock] {
            // It may block for a moment.
            try await Worker.run("steno.store", stack: .shallow) { [files] _ in
                var locks: [UUID: SessionLock] = [:]
                for id in ids { locks[id] = try files.lock(id) }
                return locks
            }
        }

        static func inUse(_ id: UUID) -> StenoError {
            StenoError(.sessionInUse, "The session \(id) is being recorded. Stop it first.")
        }
    }

    extension TranscriptStore {
        /// Sets the title of a session.
        ///
        /// - Throws: `StenoError`: `sessionNotFound`, `outputFailed`.
        public func rename(_ id: UUID, _ title: String) async throws {
            try await write { database in
                var row = try self.row(id, in: database)
                var content = try self.content(of: row)
                content.title = title
                row.content = try self.sealer.seal(content, at: SessionRow.place(id))
                try row.update(database, columns: ["content"])
            }
        }

        /// Sets the edited text of a segment without changing the recognised text; nil undoes the edit.
        ///
        /// - Throws: `StenoError`: `sessionNotFound`, `invalidOption` if there is no such segment, `outputFailed`.
        public func edit(_ segment: Int, of id: UUID, _ text: String?) async throws {
            try await change(segment, of: id) { $0.edited = text }
        }

        /// Sets the speaker of a segment in every format; nil restores the detected speakers of its words.
        ///
        /// - Throws: As ``edit(_:of:_:)`` does.
        public func setSpeaker(_ speaker: String?, of segment: Int, in id: UUID) async throws {
            try await change(segment, of: id) { $0.speaker = speaker }
        }

        private func change(
            _ segment: Int, of id: UUID, _ body: @escaping @Sendable (inout SegmentContent) -> Void
        ) async throws {
            try await write { [self] database in
                let session = try self.row(id, in: database).id
                let wanted = SegmentRow.filter(Column("session_id") == session && Column("number") == segment)
                guard let known = try Row.fetchOne(database, wanted) else {
                    throw StenoError(.invalidOption, "The session has no segment \(segment). Read its segments again.")
                }
                var row = try SegmentRow(checking: known)
                let place = SegmentRow.place(id, segment)
                var content = try sealer.open(row.content, as: SegmentContent.self, at: place)
                body(&content)
                row.content = try sealer.seal(content, at: place)
                try row.update(database, columns: ["content"])
                try index.replace(row.passage, isNew: false, in: database) { try text(of: row.passage, in: database) }
                try index.noteChange(in: database)
            }
        }
    }
#endif
