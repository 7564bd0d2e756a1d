public import StenoCore

/// How a transcript is formatted as subtitles or lyrics.
///
/// The options decide where lines and cues end, and whether words are highlighted as they are spoken.
///
/// Without options the files match openai-whisper's, with one cue per segment, except that WebVTT escapes `&` and `<`.
/// The first three options are openai-whisper's. ``splitting`` is an alternative for readability, and replaces them.
///
/// Everything except one plain cue per segment needs word times (`TranscriptionOptions.wordTimestamps`). In a segment
/// without word times they are estimated from the widths of the characters.
public struct SubtitleOptions: Sendable, Hashable, Adjustable {
    /// openai-whisper's `max_line_width`: a line longer than this many characters, 1 or more, is broken at a word.
    public var maxLineWidth: Int?
    /// openai-whisper's `max_line_count`: with a width too, cues have this many lines, 1 or more, and ignore segments.
    public var maxLineCount: Int?
    /// openai-whisper's `max_words_per_line`: a cue has at most this many words, 1 or more.
    public var maxWordsPerLine: Int?
    /// How to highlight the current word.
    public var highlight = WordHighlight.none
    /// Splits cues for readability; nil keeps segments, or uses openai-whisper's layout if one of its options is set.
    public var splitting: CueSplitting?

    /// Creates options that give openai-whisper's files, with one cue per segment.
    public init() {}

    /// Options for comfortable reading: cues split with ``CueSplitting``'s defaults.
    public static var readable: SubtitleOptions { SubtitleOptions().with { $0.splitting = CueSplitting() } }

    /// Whether word times are needed; if so, decode with ``TranscriptionOptions/wordTimestamps``.
    public var needsWords: Bool {
        splitting != nil || highlight != .none || maxLineWidth != nil || maxLineCount != nil || maxWordsPerLine != nil
    }
}

extension SubtitleOptions: Codable, OptionTable {
    package static var fields: OptionFields<Self> {
        let limits = "The limits of lines and words in subtitles must be 1 or more."
        return [
            .init("maxLineWidth", \.maxLineWidth, in: 1..., or: limits),
            .init("maxLineCount", \.maxLineCount, in: 1..., or: limits),
            .init("maxWordsPerLine", \.maxWordsPerLine, in: 1..., or: limits),
            .init("highlight", \.highlight),
            .init("splitting", \.splitting).checking { try $0.splitting?.validate() },
        ]
    }
}

/// How subtitles highlight the current word.
public enum WordHighlight: String, Sendable, Hashable, Codable, CaseIterable {
    /// Not at all.
    case none
    /// openai-whisper's `highlight_words`: a cue for every word, in which it is underlined (`<u>`), in SubRip and
    /// WebVTT.
    case underline
    /// The times of the words inside one cue: WebVTT's timestamps, and the word times of enhanced LRC.
    ///
    /// SubRip has no equivalent and is written plainly.
    case karaoke
}
