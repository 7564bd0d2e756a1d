#if Store
    public import Foundation
    import GRDB
    import Steno

    extension TranscriptStore {
        /// Deletes sessions and their audio without leaving traces in the files.
        ///
        /// Freed space in the database is overwritten with zeros, the search index is rewritten, and the write-ahead
        /// log is emptied. Copies on the disk itself, in snapshots and in backups cannot be reached.
        ///
        /// - Throws: `StenoError`: `sessionNotFound`; `sessionInUse` if one of them is being recorded; then none is
        ///   deleted. `outputFailed` if audio cannot be removed, in which case all texts are still there and can be
        ///   deleted again; or if they were deleted but another program prevents emptying the log.
        public func delete(_ ids: [UUID]) async throws {
            if let failure = try await deleteTryingLog(ids) { throw failure }
        }

        /// Deletes sessions as ``delete(_:)`` does, for callers that count a session as deleted even if the log still
        /// contains it.
        ///
        /// - Returns: The reason why the database's log still contains them, such as another program reading it; nil if
        ///   it does not.
        /// - Throws: As ``delete(_:)``, if nothing was deleted.
        package func deleteTryingLog(_ ids: [UUID]) async throws -> (any Error)? {
            let ids = Set(ids)
            guard !ids.isEmpty else { return nil }
            let locks = try await locks(of: Array(ids))
            defer { withExtendedLifetime(locks) {} }
            if let held = ids.first(where: { locks[$0] == nil }) { throw Self.inUse(held) }
            try await remove(ids)
            do {
                try await emptyLog()
                return nil
            } catch { return error }
        }

        /// Deletes the sessions that ended before a time and returns them; sessions being recorded stay.
        ///
        /// - Throws: As ``delete(_:)`` does; sessions deleted before the failure stay deleted.
        @discardableResult
        public func deleteSessions(endedBefore date: Date) async throws -> [StoredSession] {
            // Each locked session is an open file, and a program may have only about a thousand.
            try await deleteSessions(endedBefore: date, slice: 256)
        }

        /// - Parameter slice: The number of sessions locked and deleted at once.
        func deleteSessions(endedBefore date: Date, slice: Int) async throws -> [StoredSession] {
            let old = try await sessions(endedBefore: date)
            var deleted: [StoredSession] = []
            do {
                for start in stride(from: 0, to: old.count, by: slice) {
                    deleted += try await delete(old[start..<min(start + slice, old.count)], endedBefore: date)
                }
            } catch {
                // Deleted sessions must be gone even if others fail.
                if !deleted.isEmpty { try? await emptyLog() }
                throw error
            }
            if !deleted.isEmpty { try await emptyLog() }
            return deleted
        }

        /// Deletes the sessions that have not changed since they were listed, and returns them.
        func delete(_ sessions: ArraySlice<StoredSession>, endedBefore date: Date) async throws -> [StoredSession] {
            let locks = try await locks(of: sessions.map(\.id))
            defer { withExtendedLifetime(locks) {} }
            // Checked again now that they are locked: another program may have continued or deleted one.
            let free = Set(locks.keys)
            let ids = try await read { database in
                try free.filter { id in
                    guard let key = try self.findKey(of: id, in: database) else { return false }
                    // Reads only this much of the row, because the rest may be damaged.
                    return try Bool.fetchOne(
                        database, sql: "SELECT IFNULL(ended, started + duration) < ? FROM session WHERE id = ?",
                        arguments: [date.timeIntervalSince1970, key]) ?? false
                }
            }
            if !ids.isEmpty { try await remove(ids) }
            return sessions.filter { ids.contains($0.id) }
        }

        /// Removes locked sessions; the caller then calls ``emptyLog()``.
        private func remove(_ ids: Set<UUID>) async throws {
            // Audio first: without its session, nothing would refer to it any more.
            let recordings = try await read { [self] database in
                try ids.flatMap { try audioFiles(of: $0, key(of: $0, in: database), in: database) }
            }
            try removeAudio(recordings)
            // Deleted data is overwritten, which first fills the log.
            try await write(advice: Self.deletionAdvice) { [self] database in
                var hadText = false
                for id in ids {
                    let key = try key(of: id, in: database)
                    if try deleteText(of: key, in: database) { hadText = true }
                    try database.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [key])
                }
                // It rewrites the whole index.
                if hadText { try index.forget(in: database) }
            }
        }

        private static let deletionAdvice =
            "Deleting text temporarily needs as much space as the text itself: remove something else from the disk "
            + "first, such as an exported file."

        /// Undoes the start of a session that could not run: a new one is deleted, and a continued one is restored,
        /// except for a length corrected from its audio.
        ///
        /// A session that has received text or audio since then stays. Do not use the writer afterwards.
        /// - Throws: `StenoError.outputFailed` if the history cannot be written.
        public func abandon(_ writer: SessionWriter) async throws {
            guard let former = writer.former else { return try await discard(writer) }
            let isFinished = former.state == StoredSession.State.finished.rawValue
            try await write { [self] database in
                let new = try Int.fetchAll(
                    database, sql: "SELECT number FROM recording WHERE session_id = ? AND number > ?",
                    arguments: [writer.row, former.recordings])
                for number in new {
                    let file = files.audio(of: writer.id, part: number, isSealed: isEncrypted)
                    if FileManager.default.fileExists(atPath: file.path) { return }
                    try database.execute(
                        sql: "DELETE FROM recording WHERE session_id = ? AND number = ?",
                        arguments: [writer.row, number])
                }
                try database.execute(
                    sql: "UPDATE session SET state = ?, ended = ? WHERE id = ? AND segments = ?"
                        + (isFinished ? " AND partial IS NULL" : ""),
                    arguments: [former.state, former.ended, writer.row, former.segments])
            }
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

        /// Deletes the segments of a session and their index entries, and returns whether there were any; the caller
        /// then calls ``SearchIndex/forget(in:)``.
        func deleteText(of session: Int64, in database: Database) throws -> Bool {
            let passages = try Int64.fetchAll(
                database, sql: "SELECT id FROM passage WHERE session_id = ?", arguments: [session])
            try index.remove(passages, in: database)
            try index.noteChange(in: database)
            try database.execute(sql: "DELETE FROM segment WHERE session_id = ?", arguments: [session])
            try database.execute(sql: "DELETE FROM passage WHERE session_id = ?", arguments: [session])
            return !passages.isEmpty
        }

        /// - Throws: `StenoError.outputFailed`.
        func removeAudio(_ files: [URL]) throws {
            for file in files where unlink(file.path) != 0 {
                let error = SystemCallError(call: "unlink")
                guard error.number != ENOENT else { continue }
                throw StenoError(
                    .outputFailed,
                    "The audio \(file.path) cannot be removed: \(error). All texts are still in the history. Remove "
                        + "the file, then delete the sessions again.", underlying: error)
            }
            // A power failure must not bring back audio whose session is gone.
            if !files.isEmpty { try? self.files.audio.synchronize() }
        }

        /// Moves the write-ahead log into the database, so that deleted texts are in neither; waits for readers,
        /// without blocking writers.
        ///
        /// - Throws: `StenoError.outputFailed`, for example if a reader stays for longer than ``LogWait``.
        func emptyLog() async throws {
            var attempt = 1
            while true {
                do { return try await emptyLogAtOnce() } catch {
                    let cause = (error as? StenoError)?.underlying ?? error
                    guard WriteAheadLog.isBusy(cause), attempt < logWait.attempts, !Task.isCancelled else {
                        throw error
                    }
                }
                attempt += 1
                await logWait.pause()
            }
        }

        /// Moves the write-ahead log into the database, unless there are readers.
        ///
        /// - Throws: As ``emptyLog()``.
        func emptyLogAtOnce() async throws {
            do {
                // In its own task: the text is already deleted, and the caller's task may be cancelled.
                try await Task { [file = files.database] in
                    try await Worker.run("steno.store", stack: .shallow) { _ in try WriteAheadLog.empty(file) }
                }.value
            } catch { throw DatabaseFailure.explainLog(error) }
        }
    }
#endif
