#if Store
    public import Foundation
    import GRDB
    public import Steno

    /// Writes one session into a history.
    ///
    ///     let writer = try await store.begin(title: "Lunch", source: "microphone")
    ///     try await writer.append(event.segments)      // it is on the disk when this returns
    ///     try await writer.finish()
    ///
    /// The session is marked as being recorded as long as the writer lives; if the program ends before
    /// ``finish(duration:)``, the session is interrupted.
    public final class SessionWriter: Sendable {
        /// The session.
        public let id: UUID

        let store: TranscriptStore
        let row: Int64
        /// The text of a session that is continued, after which times and ids continue; nil of a new session.
        let previous: TranscriptAccumulator?
        private let lock: SessionLock

        init(
            _ id: UUID, row: Int64, continuing previous: TranscriptAccumulator? = nil, lock: SessionLock,
            in store: TranscriptStore
        ) {
            (self.id, self.row, self.previous, self.lock, self.store) = (id, row, previous, lock, store)
        }

        /// Appends final segments, all or none; when it returns, they are on the disk and survive a power failure.
        ///
        /// - Parameters:
        ///   - segments: Segments with ids that the session does not have yet.
        ///   - language: The code of their language, if it was detected.
        ///   - partial: The text after them that is not final yet.
        /// - Throws: `StenoError.outputFailed`, as when the disk is full; the same segments can be appended again.
        public func append(_ segments: [TranscriptSegment], language: String? = nil, partial: String = "") async throws
        {
            guard !segments.isEmpty else { return }
            let end = segments.map(\.end).max() ?? 0
            let partial = try sealed(partial)
            try await store.write { [self] database in
                try SegmentWriter(store: store, session: id, row: row, database: database)
                    .append(segments, language: language)
                try set(
                    "duration = MAX(duration, ?), segments = segments + ?, partial = ?",
                    [end, segments.count, partial],
                    in: database)
            }
        }

        /// Keeps the text that is not final yet, in place of the one before; if the program ends, it is what was shown
        /// last.
        ///
        /// - Throws: As ``append(_:language:partial:)``.
        public func setPartial(_ text: String) async throws {
            let partial = try sealed(text)
            try await store.write { [self] in try set("partial = ?", [partial], in: $0) }
        }

        /// Keeps the language of the session.
        ///
        /// - Throws: As ``append(_:language:partial:)``.
        public func setLanguage(_ code: String) async throws {
            try await store.write { [self] in try set("language = ?", [code], in: $0) }
        }

        /// Removes all text of the session, as a deletion does (``TranscriptStore/delete(_:)``); the session continues.
        ///
        /// - Throws: As ``append(_:language:partial:)``; `StenoError.outputFailed` also when the text is removed and
        ///   another program keeps the log from being emptied.
        public func clear() async throws {
            try await removeText()
            try await store.emptyLog()
        }

        /// Removes all text of the session; until the log is emptied (``TranscriptStore/emptyLog()``) it is there.
        func removeText() async throws {
            try await store.write { [self] database in
                if try store.deleteText(of: row, in: database) { try store.index.forget(in: database) }
                try set("segments = 0, partial = NULL", [], in: database)
            }
        }

        /// Marks the session as finished; it then has no partial text.
        ///
        /// - Parameter duration: The seconds of audio; nil is the end of the last segment.
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
                throw StenoError(.sessionNotFound, "The session \(id) is not in the history any more: it was deleted.")
            }
        }
    }
#endif
