#if Store
    public import Foundation
    import GRDB
    import Steno

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
                guard
                    var row = try SegmentRow.filter(
                        Column("session_id") == self.row(id, in: database).id && Column("number") == segment
                    ).fetchOne(database)
                else {
                    throw StenoError(
                        .invalidOption,
                        "The session has no segment \(segment). Read its segments again.")
                }
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
