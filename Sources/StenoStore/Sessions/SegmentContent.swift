#if Store
    import StenoCore

    /// The sealed content of a segment.
    struct SegmentContent: Codable, Sendable {
        var text: String
        var words: [Word]
        var language: String?
        var speaker: String?
        var edited: String?

        /// The text to show and to search.
        var shown: String { edited ?? text }
    }
#endif
