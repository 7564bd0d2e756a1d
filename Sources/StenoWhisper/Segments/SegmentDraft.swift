import StenoCore
import StenoVoiceActivity

/// A part of a window's text that is to become a segment.
struct SegmentDraft: Sendable, Hashable {
    /// Seconds from the start of the audio.
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

    /// If alignment gave all words the same time, spreads them between the segment's timestamps.
    ///
    /// faster-whisper drops such a segment when word timestamps are requested. Guards must keep it, because there is no
    /// evidence against its text.
    mutating func spreadWords(ifAtOneMomentOver stamped: SegmentDraft) {
        guard start == end, stamped.start < stamped.end, let words, !words.isEmpty else { return }
        let step = (stamped.end - stamped.start) / Double(words.count)
        (start, end) = (stamped.start, stamped.end)
        self.words = words.enumerated().map { index, word in
            var word = word
            word.start = Hundredths.rounded(start + Double(index) * step)
            word.end = Hundredths.rounded(start + Double(index + 1) * step)
            return word
        }
    }
}

extension [SegmentDraft] {
    /// The end of the last word, or of the last segment if there are no words.
    var lastWordEnd: Double? {
        last(where: \.hasWords)?.words?.last?.end ?? last?.end
    }
}
