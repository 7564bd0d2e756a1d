/// The speaker's name before the text, for formats without a field for it.
enum SpeakerPrefix {
    /// `Speaker 1: `, or nothing if the speaker is not known.
    static func of(_ speaker: String?) -> String {
        speaker.map { $0.collapsingWhitespace.withoutArrows + ": " } ?? ""
    }
}
