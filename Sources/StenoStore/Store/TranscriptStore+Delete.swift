#if Store
    public import Foundation
    import GRDB
    import Steno

    extension TranscriptStore {
        /// Deletes sessions with their audio, and leaves nothing of them in the files.
        ///
        /// What is freed in the database is overwritten with zeros, the search index is rewritten without it, and the
        /// write-ahead log is emptied. What the disk itself, a snapshot of it or a backup still has is beyond reach.
        ///
        /// - Throws: `StenoError`: `sessionNotFound`; `sessionInUse` when one of them is being recorded; then none is
        ///   deleted. `outputFailed` when audio cannot be removed: then all texts are still there, so that they can be
        ///   deleted again; also when they are deleted and another program keeps the log from being emptied.
        public func delete(_ ids: [UUID]) async throws {
            let ids = Set(ids)
            guard !ids.isEmpty else { return }
            var locks: [SessionLock] = []
            for id in ids { locks.append(try await lock(id)) }
            defer { withExtendedLifetime(locks) {} }
            // First, since without its session nothing would know of the audio any more.
            let recordings = try await read { [self] database in
                try ids.flatMap { try audioFiles(of: row($0, in: database), in: database) }
            }
            try removeAudio(recordings)
            try await write { [self] database in
                var hadText = false
                for id in ids {
                    let row = try row(id, in: database)
                    if try deleteText(of: row.id ?? 0, in: database) { hadText = true }
                    _ = try row.delete(database)
                }
                // It rewrites the whole index.
                if hadText { try index.forget(in: database) }
            }
            try await emptyLog()
        }

        /// Deletes the sessions that ended before a time, and returns them; those that are being recorded stay.
        ///
        /// - Throws: As ``delete(_:)``.
        @discardableResult
        public func deleteSessions(endedBefore date: Date) async throws -> [StoredSession] {
            let old = try await sessions(endedBefore: date)
            try await delete(old.map(\.id))
            return old
        }

        /// Deletes a session that could not be started: it has neither text nor audio.
        package func discard(_ writer: SessionWriter) async throws {
            guard try await !hasAudio(writer.id) else { return }
            try await write { database in
                try database.execute(
                    sql: "DELETE FROM session WHERE id = ? AND segments = 0 AND partial IS NULL",
                    arguments: [writer.row])
            }
        }

        /// Deletes the segments of a session and what the index has of them, up to ``SearchIndex/forget(in:)``.
        ///
        /// - Returns: Whether there were any.
        func deleteText(of session: Int64, in database: Database) throws -> Bool {
            let passages = try Int64.fetchAll(
                database, sql: "SELECT id FROM passage WHERE session_id = ?", arguments: [session])
            try index.remove(passages, in: database)
            try index.noteChange(in: database)
            try database.execute(sql: "DELETE FROM segment WHERE session_id = ?", arguments: [session])
            try database.execute(sql: "DELETE FROM passage WHERE session_id = ?", arguments: [session])
            return !passages.isEmpty
        }

        private func removeAudio(_ files: [URL]) throws {
            for file in files where unlink(file.path) != 0 {
                let error = SystemCallError(call: "unlink")
                guard error.number != ENOENT else { continue }
                throw StenoError(
                    .outputFailed,
                    "The audio \(file.path) cannot be removed: \(error). All texts are still in the history; remove it and "
                        + "delete them again.", underlying: error)
            }
            // A power failure must not bring back audio whose session is gone.
            if !files.isEmpty { StoreFolder.flush(self.files.audio) }
        }

        /// Moves the write-ahead log into the database, so that deleted texts are in neither.
        func emptyLog() async throws {
            do {
                try await pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            } catch {
                throw DatabaseFailure.explainLog(error)
            }
        }
    }
#endif
