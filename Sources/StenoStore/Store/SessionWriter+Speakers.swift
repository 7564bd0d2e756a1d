#if Store
    import Foundation
    import GRDB
    import Steno

    extension SessionWriter {
        /// Corrects who speaks the words that are stored; when it returns, that is on the disk.
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

        /// The segments that a correction may change: the texts of hours are not opened for one of a second.
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
                guard correction.concerns(segment[1], segment[2]) else { continue }
                let (number, sealed): (Int, Data) = (segment[0], segment[3])
                // A damaged text is reported when it is read, and must not keep the others from being corrected.
                let content = try? store.sealer.open(
                    sealed, as: SegmentContent.self, at: SegmentRow.place(id, number))
                if let content { found.append(SpeakerCorrection.Stored(number: number, content: content)) }
            }
            return found
        }
    }
#endif
