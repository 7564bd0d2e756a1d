#if Store
    public import Foundation
    import GRDB
    public import Steno

    /// Writes one session to a history.
    ///
    ///     let writer = try await store.begin(title: "Lunch", source: "microphone")
    ///     try await writer.append(event.segments)      // it is on the disk when this returns
    ///     try await writer.finish()
    ///
    /// The session counts as being recorded while the writer exists; if the program ends before ``finish(duration:)``,
    /// the session is interrupted.
    public final class SessionWriter: Sendable {
        /// The session.
        public let id: UUID

        let store: TranscriptStore
        let row: Int64
        let audio: SessionAudio
        /// The earlier state of a continued session; nil for a new session.
        let former: Former?
        /// The text of a continued session, until a live session has taken it.
        private let previous: Monitor<LiveTranscript?>?
        private let lock: SessionLock

        struct Former: Sendable {
            let state: String
            let ended: Double?
            let segments: Int
            /// The number of the last part of its audio; 0 without audio.
            let recordings: Int
        }

        init(
            _ id: UUID, row: Int64, continuing former: Former? = nil, _ previous: LiveTranscript? = nil,
            lock: SessionLock, in store: TranscriptStore
        ) {
            (self.id, self.row, self.former, self.lock, self.store) = (id, row, former, lock, store)
            self.previous = previous.map { Monitor($0) }
            audio = SessionAudio(id, store.files, store.sealer)
        }

        /// The text of a continued session, after which times and ids continue; nil for a new session.
        ///
        /// It is handed over once: a writer lives for hours, and the live session has its own copy.
        /// - Throws: `StenoError.engineState` if it was handed over before, because ids would be reused.
        func takePrevious() throws -> LiveTranscript? {
            guard let previous else { return nil }
            let text = previous.update { text in
                defer { text = nil }
                return text
            }
            guard let text else {
                throw StenoError(
                    .engineState, "A live session was started with this writer already. Resume the session again.")
            }
            return text
        }

        /// Appends final segments, all or none; when it returns, they are on disk and survive a power failure.
        ///
        /// - Parameters:
        ///   - segments: Segments with ids that are new to the session.
        ///   - language: The code of their language, if it was detected.
        ///   - partial: The text after them that is not yet final.
        /// - Throws: `StenoError.outputFailed`, for example if the disk is full; the same segments can then be appended
        ///   again.
        public func append(_ segments: [LiveSegment], language: String? = nil, partial: String = "") async throws {
            guard !segments.isEmpty else { return }
            let end = segments.map(\.end).max() ?? 0
            let partial = try sealed(partial)
            try await store.write { [self] database in
                try SegmentWriter(store: store, session: id, row: row, database: database)
                    .append(segments, language: language)
                try set(
                    "duration = MAX(duration, ?), segments = segments + ?, partial = ?",
                    [end, segments.count, partial], in: database)
            }
        }

        /// Adds punctuation after the last word of the last segment.
        ///
        /// - Throws: As ``append(_:language:partial:)``.
        func join(_ mark: String) async throws {
            try await store.write { [self] database in
                try SegmentWriter(store: store, session: id, row: row, database: database).join(mark)
            }
        }

        /// Stores the partial text, replacing the previous one, so that the last shown text survives if the program
        /// ends.
        ///
        /// - Throws: As ``append(_:language:partial:)``.
        public func setPartial(_ text: String) async throws {
            let partial = try sealed(text)
            try await store.write { [self] in try set("partial = ?", [partial], in: $0) }
        }

        /// Stores the language of the session.
        ///
        /// - Throws: As ``append(_:language:partial:)``.
        public func setLanguage(_ code: String) async throws {
            try await store.write { [self] in try set("language = ?", [code], in: $0) }
        }

        /// Removes all text and audio of the session, as ``TranscriptStore/delete(_:)`` does; the session continues.
        ///
        /// - Throws: As ``append(_:language:partial:)``; `StenoError.outputFailed` also if audio cannot be removed, in
        ///   which case all text is still there and no audio is saved until it is cleared again; or if everything was
        ///   removed but another program prevents emptying the log.
        public func clear() async throws {
            try await removeContent()
            try await store.emptyLog()
        }

        /// Removes all text and audio of the session; the text stays in the log until that is emptied
        /// (``TranscriptStore/emptyLog()``).
        ///
        /// If the program ends halfway, text may be left whose audio is removed, but never audio that nothing refers
        /// to.
        /// - Parameter position: The time in the session, in seconds.
        func removeContent(at position: Double = 0) async throws {
            let files = try await store.read { [self] in try store.audioFiles(of: id, row, in: $0) }
            await audio.stop()
            try store.removeAudio(files)
            let start = audio.end(atLeast: position)
            let part = try await store.write { [self] database in
                if try store.deleteText(of: row, in: database) { try store.index.forget(in: database) }
                try set("segments = 0, partial = NULL", [], in: database)
                return try AudioPart.replaceAll(of: row, from: start, in: database)
            }
            if let start { audio.begin(part, from: start) }
        }

        /// Marks the session as finished; it then has no partial text.
        ///
        /// - Parameter duration: The seconds of audio; nil for the end of the last segment.
        /// - Throws: As ``append(_:language:partial:)``.
        public func finish(duration: Double? = nil) async throws {
            try await store.write { [self] database in
                try set(
                    "state = ?, ended = ?, duration = MAX(duration, ?), partial = NULL",
                    [StoredSession.State.finished.rawValue, Date().timeIntervalSince1970, duration ?? 0], in: database)
            }
        }

        private func sealed(_ partial: String) throws -> Data? {
            partial.isEmpty ? nil : try store.sealer.seal(partial, at: SessionRow.partialPlace(id))
        }

        private func set(_ assignments: String, _ values: [(any DatabaseValueConvertible)?], in database: Database)
            throws
        {
            try database.cachedStatement(sql: "UPDATE session SET \(assignments) WHERE id = ?")
                .execute(arguments: StatementArguments(values + [row]))
            guard database.changesCount == 1 else {
                throw StenoError(
                    .sessionNotFound, "The session \(id) was deleted from the history. Start a new session.")
            }
        }
    }

    extension SessionWriter {
        /// Corrects the speakers of stored words; when it returns, the correction is on disk.
        ///
        /// Speakers set by hand stay (``TranscriptStore/setSpeaker(_:of:in:)``).
        /// - Throws: As ``append(_:language:partial:)``; the same correction can be made again.
        func correct(_ correction: SpeakerCorrection) async throws {
            try await store.write { [self] database in
                let stored = try segments(for: correction, in: database)
                let update = try database.cachedStatement(
                    sql: "UPDATE segment SET content = ? WHERE session_id = ? AND number = ?")
                for (segment, words) in zip(stored, correction.words(of: stored)) where words != segment.content.words {
                    var content = segment.content
                    content.words = words
                    let sealed = try store.sealer.seal(content, at: SegmentRow.place(id, segment.number))
                    try update.execute(arguments: [sealed, row, segment.number])
                }
            }
        }

        /// The segments that a correction may change: a correction of one second must not decrypt hours of text.
        private func segments(
            for correction: SpeakerCorrection, in database: Database
        ) throws -> [SpeakerCorrection.Stored] {
            guard let numbers = correction.numbers else { return [] }
            let statement = try database.cachedStatement(
                sql: """
                    SELECT number, start, "end", content FROM segment
                    WHERE session_id = ? AND number BETWEEN ? AND ? ORDER BY number
                    """)
            let rows = try Row.fetchCursor(statement, arguments: [row, numbers.lowerBound, numbers.upperBound])
            var found: [SpeakerCorrection.Stored] = []
            while let segment = try rows.next() {
                // A damaged text is reported when it is read, and must not prevent correcting the others.
                guard let number: Int = segment.readable("number"), let sealed: Data = segment.readable("content"),
                    let start: Double = segment.readable("start"), let end: Double = segment.readable("end"),
                    correction.concerns(start, end)
                else { continue }
                let content = try? store.sealer.open(sealed, as: SegmentContent.self, at: SegmentRow.place(id, number))
                if let content { found.append(SpeakerCorrection.Stored(number: number, content: content)) }
            }
            return found
        }
    }
#endif
