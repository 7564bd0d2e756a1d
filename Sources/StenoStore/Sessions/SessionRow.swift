#if Store
    import Foundation
    import GRDB
    import StenoCore

    /// A row of the table `session`.
    struct SessionRow: Codable, FetchableRecord, MutablePersistableRecord, Sendable {
        static let databaseTableName = "session"

        struct Content: Codable, Sendable {
            var title: String
            var source: String
        }

        var id: Int64?
        let uuid: String
        var state: String
        let started: Double
        var ended: Double?
        var duration = 0.0
        var segments = 0
        var language: String?
        var model: String?
        var content: Data
        var partial: Data?

        mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

        /// The context that the sealed content is bound to.
        static func place(_ uuid: UUID) -> String { "session \(uuid.uuidString)" }

        static func partialPlace(_ uuid: UUID) -> String { "partial text of \(uuid.uuidString)" }
    }

    /// A row of the table `segment`.
    struct SegmentRow: Codable, FetchableRecord, MutablePersistableRecord, Sendable {
        static let databaseTableName = "segment"

        enum CodingKeys: String, CodingKey {
            case id, number, utterance, start, end, content
            case session = "session_id"
            case passage = "passage_id"
        }

        var id: Int64?
        let session: Int64
        let passage: Int64
        let number: Int
        let utterance: Int
        let start: Double
        let end: Double
        var content: Data

        mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

        static func place(_ session: UUID, _ number: Int) -> String { place(session.uuidString, number) }

        static func place(_ session: String, _ number: Int) -> String { "segment \(number) of \(session)" }
    }

    struct SegmentContent: Codable, Sendable {
        var text: String
        var words: [Word]
        var language: String?
        var speaker: String?
        var edited: String?

        /// The text to show and search.
        var shown: String { edited ?? text }
    }
#endif
