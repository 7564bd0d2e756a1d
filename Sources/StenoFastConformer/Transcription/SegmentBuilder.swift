import StenoCore

/// Joins words to segments: sentences, cut at pauses.
struct SegmentBuilder {
    /// A silence between two words, in seconds, at which a segment ends without punctuation.
    private static let longestPause = 1.0
    /// The seconds after which a segment ends with the next word, for models without punctuation.
    private static let longestSegment = 20.0
    private static let ends: Set<Character> = [".", "?", "!", "。", "？", "！", "…"]
    /// What may follow the end of a sentence.
    private static let closing: Set<Character> = ["\"", "'", "”", "’", "»", "“", ")", "]", "」", "』"]

    private let keepsWords: Bool
    private var words: [UtteranceWord] = []
    private var complete: [Segment] = []
    private var count = 0

    init(keepsWords: Bool) { self.keepsWords = keepsWords }

    /// Adds words in order, with times from the start of the recording.
    mutating func append(_ words: [UtteranceWord]) {
        for word in words {
            if let first = self.words.first, let last = self.words.last,
                word.start - last.end >= Self.longestPause || word.end - first.start > Self.longestSegment
            {
                endSegment()
            }
            self.words.append(word)
            if Self.endsSentence(word.text) { endSegment() }
        }
    }

    mutating func endSegment() {
        guard let first = words.first, let last = words.last else { return }
        let start = Hundredths.rounded(first.start)
        complete.append(
            Segment(
                id: count, start: start, end: max(start, Hundredths.rounded(last.end)),
                text: words.map(\.text).joined(), words: keepsWords ? words.map(Self.word) : nil))
        count += 1
        words.removeAll()
    }

    /// Returns the complete segments since the last call.
    mutating func takeSegments() -> [Segment] {
        defer { complete.removeAll() }
        return complete
    }

    private static func word(_ word: UtteranceWord) -> Word {
        let start = Hundredths.rounded(word.start)
        return Word(
            rawText: word.text, start: start, end: max(start, Hundredths.rounded(word.end)),
            probability: word.probability)
    }

    private static func endsSentence(_ text: String) -> Bool {
        var text = text[...]
        while let last = text.last, closing.contains(last) { text.removeLast() }
        return text.last.map(ends.contains) ?? false
    }
}
