/// A piece of a window's text on its way to becoming a segment.
struct SegmentDraft: Sendable, Hashable {
    /// Seconds from the start of the sound.
    var start: Double
    var end: Double
    /// Timestamps included.
    var tokens: [Int]
    /// The words, once they are aligned.
    var words: [Word]?

    /// A draft between two frames of 10 ms.
    init(startFrame: Int, endFrame: Int, tokens: [Int]) {
        start = Double(startFrame) / 100
        end = Double(endFrame) / 100
        self.tokens = tokens
    }

    /// Whether it has words with times.
    var hasWords: Bool { words?.isEmpty == false }
}

extension [SegmentDraft] {
    /// Where the last word ends, or the last segment when there are no words.
    var lastWordEnd: Double? {
        last(where: \.hasWords)?.words?.last?.end ?? last?.end
    }
}
