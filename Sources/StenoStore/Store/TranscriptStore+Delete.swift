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
        ///   deleted. `outputFailed` also when they are deleted and another program keeps the log from being emptied.
        public func delete(_ ids: [UUID]) async throws {
            guard !ids.isEmpty else { return }
            let locks = try Set(ids).map(lock)
            defer { withExtendedLifetime(locks) {} }
            let recordings = try await write { [self] database in
                var recordings: [URL] = []
                for id in Set(ids) {
                    let row = try row(id, in: database)
                    recordings += try audioFiles(of: row, in: database)
                    try deleteText(of: row.id ?? 0, in: database)
                    _ = try row.delete(database)
                }
                return recordings
            }
            try removeAudio(recordings)
            try await emptyLog()
        }

        /// Deletes the sessions that ended before a time, and returns them; those that are being recorded stay.
        ///
        /// - Throws: As ``delete(_:)``.
        @discardableResult
        public func deleteSessions(endedBefore date: Date) async throws -> [StoredSession] {
            let old = try await sessions().filter { $0.state != .recording && ($0.end ?? $0.start) < date }
            try await delete(old.map(\.id))
            return old
        }

        /// Deletes the segments of a session and what the index has of them.
        func deleteText(of session: Int64, in database: Database) throws {
            let passages = try Int64.fetchAll(
                database, sql: "SELECT id FROM passage WHERE session_id = ?", arguments: [session])
            try index.remove(passages, in: database)
            try index.noteChange(in: database)
            try database.execute(sql: "DELETE FROM segment WHERE session_id = ?", arguments: [session])
            try database.execute(sql: "DELETE FROM passage WHERE session_id = ?", arguments: [session])
        }

        private func removeAudio(_ files: [URL]) throws {
            for file in files where FileManager.default.fileExists(atPath: file.path) {
                do {
                    try FileManager.default.removeItem(at: file)
                } catch {
                    throw StenoError(
                        .outputFailed,
                        "The text is deleted, but not the audio \(file.path): \(error.localizedDescription).",
                        underlying: error)
                }
            }
        }

        /// Moves the write-ahead log into the database, so that deleted texts are in neither.
        func emptyLog() async throws {
            do {
                try await pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            } catch {
                throw StenoError(
                    .outputFailed,
                    "It is deleted, but the log of the history still has it, since another program reads the history. "
                        + "The next deletion empties it, and so does the last program that closes the history.",
                    underlying: error)
            }
        }
    }
#endif
