/// How a transcript becomes subtitles and lyrics: where lines and cues end, and whether words are marked as they are
/// said.
///
/// Without any option the files are openai-whisper's, a cue a segment. The first three options are openai-whisper's
/// own, with its results to the byte; ``splitting`` is another way to cut, made for reading, and takes their place.
///
/// All but the plain cue a segment needs word times (``DecodingOptions/wordTimestamps``). In a segment without them
/// they are estimated: each character takes the same share of the segment.
public struct SubtitleOptions: Sendable, Hashable {
    /// openai-whisper's `max_line_width`: a line longer than this many characters is broken at a word.
    public var maxLineWidth: Int?
    /// openai-whisper's `max_line_count`: with a width too, cues have this many lines and ignore segments.
    public var maxLineCount: Int?
    /// openai-whisper's `max_words_per_line`: a cue has at most this many words.
    public var maxWordsPerLine: Int?
    /// How the word that is being said is marked.
    public var highlight = WordHighlight.none
    /// Cuts cues for reading; nil keeps segments, or openai-whisper's way when one of its options is set.
    public var splitting: CueSplitting?

    /// Creates options that give openai-whisper's files, a cue a segment.
    public init() {}

    /// Whether the times of words are of use; decode with ``DecodingOptions/wordTimestamps`` then.
    public var needsWords: Bool {
        splitting != nil || highlight != .none || maxLineWidth != nil || maxLineCount != nil || maxWordsPerLine != nil
    }

    /// Refuses values outside their range, with a sentence that names the option.
    ///
    /// Nothing breaks when this is not called: such values are then brought into their range.
    public func validate() throws {
        let counts = [maxLineWidth, maxLineCount, maxWordsPerLine].compactMap { $0 }
        guard counts.allSatisfy({ $0 >= 1 }) else {
            throw StenoError(.invalidOption, "The limits of lines and words in subtitles must be 1 or more.")
        }
        try splitting?.validate()
    }
}

/// How subtitles mark the word that is being said.
public enum WordHighlight: String, Sendable, Hashable, Codable, CaseIterable {
    /// Not at all.
    case none
    /// openai-whisper's `highlight_words`: a cue for every word, in which it is underlined (`<u>`), in SubRip and
    /// WebVTT.
    case underline
    /// The times of the words inside one cue: WebVTT's timestamps, and the word times of enhanced LRC.
    ///
    /// SubRip has nothing of the kind and is written plainly.
    case karaoke
}
