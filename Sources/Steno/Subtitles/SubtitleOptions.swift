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
    /// openai-whisper's `max_line_width`: a line longer than this many characters is broken at a word.
    package var maxLineWidth: Int?
    /// openai-whisper's `max_line_count`: with a width too, cues have this many lines and ignore segments.
    package var maxLineCount: Int?
    /// openai-whisper's `max_words_per_line`: a cue has at most this many words.
    package var maxWordsPerLine: Int?
    package var highlight = WordHighlight.none
    /// Splits cues for readability; nil keeps segments, or uses openai-whisper's layout when one of its options is set.
    package var splitting: CueSplitting?

    /// Creates options; the defaults give openai-whisper's files, with one cue per segment.
    ///
    /// - Parameters:
    ///   - maxLineWidth: The longest line in characters (openai-whisper's `max_line_width`), 1 or more.
    ///   - maxLineCount: The lines per cue (`max_line_count`), 1 or more; with a width too, cues ignore segments.
    ///   - maxWordsPerLine: The most words per cue (`max_words_per_line`), 1 or more.
    ///   - highlight: How to highlight the current word.
    ///   - splitting: Splits cues for readability; replaces the first three options.
    public init(
        maxLineWidth: Int? = nil, maxLineCount: Int? = nil, maxWordsPerLine: Int? = nil,
        highlight: WordHighlight = WordHighlight.none, splitting: CueSplitting? = nil
    ) {
        self.maxLineWidth = maxLineWidth
        self.maxLineCount = maxLineCount
        self.maxWordsPerLine = maxWordsPerLine
        self.highlight = highlight
        self.splitting = splitting
    }

    /// Options for comfortable reading: cues split with ``CueSplitting``'s defaults.
    public static var readable: SubtitleOptions {
        var options = SubtitleOptions()
        options.splitting = CueSplitting()
        return options
    }

    /// Whether word times are needed; if so, decode with ``TranscriptionOptions/wordTimestamps``.
    public var needsWords: Bool {
        splitting != nil || highlight != .none || maxLineWidth != nil || maxLineCount != nil || maxWordsPerLine != nil
    }

    /// Rejects values outside their range, with a message that names the option.
    ///
    /// Optional: without it such values are clamped.
    package func validate() throws {
        let counts = [maxLineWidth, maxLineCount, maxWordsPerLine].compactMap { $0 }
        guard counts.allSatisfy({ $0 >= 1 }) else {
            throw StenoError(.invalidOption, "The limits of lines and words in subtitles must be 1 or more.")
        }
        try splitting?.validate()
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
