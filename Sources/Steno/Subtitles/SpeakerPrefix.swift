/// Who speaks, as formats without a place for it have it: before the text.
enum SpeakerPrefix {
    /// `Speaker 1: `, or nothing if it is not known.
    static func of(_ speaker: String?) -> String {
        speaker.map { $0.collapsingWhitespace.withoutArrows + ": " } ?? ""
    }
}
