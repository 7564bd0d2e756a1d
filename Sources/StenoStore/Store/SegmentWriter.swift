#if Store
    import Foundation
    import GRDB
    import Steno

    /// Appends segments to a session, within a transaction.
    struct SegmentWriter {
        let store: TranscriptStore
        let session: UUID
        let row: Int64
        let database: Database

        /// The maximum number of segments in a passage, so that a session without pauses is indexed in pieces, too.
        private static let longestPassage = 32

        /// Stores the segments and updates the index.
        func append(_ segments: [LiveSegment], language: String?) throws {
            var open = try openPassage()
            var passages: [(id: Int64, isNew: Bool)] = []
            for segment in segments {
                if open?.utterance != segment.utterance || (open?.count ?? 0) >= Self.longestPassage {
                    open = try Passage(id: newPassage(), utterance: segment.utterance, count: 0)
                    passages.append((open?.id ?? 0, true))
                } else if passages.isEmpty, let open {
                    passages.append((open.id, false))
                }
                try insert(segment, into: open?.id ?? 0, language)
                open?.count += 1
            }
            for passage in passages {
                // A damaged text is reported when it is read, and must not prevent later text from being stored.
                try store.index.replace(passage.id, isNew: passage.isNew, in: database) {
                    try store.text(of: passage.id, skippingDamaged: true, in: database)
                }
            }
        }

        /// Adds punctuation to the last word of the last segment, and updates the index.
        ///
        /// An in-memory index gets it when the passage grows. It is not rebuilt for this, because nobody searches for
        /// punctuation.
        func join(_ mark: String) throws {
            let last = SegmentRow.filter(Column("session_id") == row).order(Column("number").desc)
            // A damaged segment is reported when it is read, and must not prevent later text from being stored.
            guard let known = try Row.fetchOne(database, last), var segment = try? SegmentRow(checking: known) else {
                return
            }
            let place = SegmentRow.place(session, segment.number)
            let opened = try? store.sealer.open(segment.content, as: SegmentContent.self, at: place)
            guard var content = opened else { return }
            content.text += mark
            if let word = content.words.indices.last { content.words[word].rawText += mark }
            segment.content = try store.sealer.seal(content, at: place)
            try segment.update(database, columns: ["content"])
            try store.index.replace(segment.passage, isNew: false, in: database) {
                try store.text(of: segment.passage, skippingDamaged: true, in: database)
            }
        }

        private struct Passage {
            var id: Int64
            var utterance: Int
            var count: Int
        }

        private func openPassage() throws -> Passage? {
            let statement = try database.cachedStatement(
                sql: "SELECT passage_id, utterance FROM segment WHERE session_id = ? ORDER BY number DESC LIMIT 1")
            guard let last = try Row.fetchOne(statement, arguments: [row]) else { return nil }
            let count = try database.cachedStatement(sql: "SELECT COUNT(*) FROM segment WHERE passage_id = ?")
            // After a damaged segment a new passage begins.
            guard let id: Int64 = last.readable("passage_id"), let utterance: Int = last.readable("utterance") else {
                return nil
            }
            return Passage(id: id, utterance: utterance, count: try Int.fetchOne(count, arguments: [id]) ?? 0)
        }

        private func newPassage() throws -> Int64 {
            try database.cachedStatement(sql: "INSERT INTO passage (session_id) VALUES (?)").execute(arguments: [row])
            return database.lastInsertedRowID
        }

        private func insert(_ segment: LiveSegment, into passage: Int64, _ language: String?) throws {
            let content = SegmentContent(text: segment.text, words: segment.words, language: language)
            var stored = SegmentRow(
                session: row, passage: passage, number: segment.id, utterance: segment.utterance, start: segment.start,
                end: segment.end, content: try store.sealer.seal(content, at: SegmentRow.place(session, segment.id)))
            try stored.insert(database)
        }
    }
#endif
