import StenoCore
import StenoVoiceActivity

/// Splits a window's tokens into segments at the timestamps, and determines where the next window begins.
struct TimestampSplitter {
    let timestampBegin: Int
    /// One timestamp is two frames.
    static let framesPerTimestamp = 2

    /// Splits the tokens of a window of `size` frames at frame `seek`.
    ///
    /// Two consecutive timestamps end one segment and begin the next. A text that ends with a single timestamp is
    /// complete: there is no speech after it. One that ends in mid-sentence is cut at its last pair, where the next
    /// window begins.
    ///
    /// - Parameter isRest: Whether the text begins at its first timestamp rather than with the window.
    func split(
        _ tokens: [Int], seek: Int, size: Int, isRest: Bool = false
    ) -> (drafts: [SegmentDraft], next: Int, isComplete: Bool) {
        let isComplete = tokens.count >= 2 && !isTime(tokens[tokens.count - 2]) && isTime(tokens[tokens.count - 1])
        var cuts = tokens.indices.filter { $0 > 0 && isTime(tokens[$0]) && isTime(tokens[$0 - 1]) }
        guard !cuts.isEmpty else {
            return ([undivided(tokens, seek: seek, size: size, isRest: isRest)], seek + size, isComplete)
        }
        if isComplete { cuts.append(tokens.count) }
        var drafts: [SegmentDraft] = []
        var start = 0
        for cut in cuts {
            // A cut follows a timestamp, so only the first segment may begin without one: with the window.
            drafts.append(
                SegmentDraft(
                    startFrame: seek + self.start(of: tokens[start..<cut]), endFrame: seek + frames(tokens[cut - 1]),
                    tokens: Array(tokens[start..<cut])))
            start = cut
        }
        return (drafts, isComplete ? seek + size : seek + frames(tokens[start - 1]), isComplete)
    }

    /// The tokens up to the start of the next window: those of the complete segments, and the timestamp after them.
    func complete(_ tokens: [Int]) -> [Int] {
        guard let last = tokens.indices.last(where: { $0 > 0 && isTime(tokens[$0]) && isTime(tokens[$0 - 1]) }) else {
            return []
        }
        return Array(tokens[...last])
    }

    /// The whole window as one segment, ending at its last timestamp if it has one.
    private func undivided(_ tokens: [Int], seek: Int, size: Int, isRest: Bool) -> SegmentDraft {
        let last = tokens.dropFirst(isRest ? 1 : 0).last(where: isTime) ?? timestampBegin
        let length = last == timestampBegin ? size : frames(last)
        let start = isRest ? self.start(of: tokens[...]) : 0
        return SegmentDraft(startFrame: seek + start, endFrame: seek + length, tokens: tokens)
    }

    /// The frame of the window at which tokens begin: their first timestamp, or the window's start if they begin with
    /// text.
    ///
    /// They begin with text when the model writes timestamps although it was asked not to; faster-whisper then reads
    /// the text token as a time, up to a thousand seconds before the window.
    private func start(of tokens: ArraySlice<Int>) -> Int {
        guard let first = tokens.first, isTime(first) else { return 0 }
        return frames(first)
    }

    private func isTime(_ token: Int) -> Bool { token >= timestampBegin }

    private func frames(_ token: Int) -> Int { (token - timestampBegin) * Self.framesPerTimestamp }
}

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
    var lastWordEnd: Double? { last(where: \.hasWords)?.words?.last?.end ?? last?.end }
}

/// A window's segments, not yet numbered, and where the next window begins.
struct WindowSegments {
    var segments: [Segment] = []
    var next: Int
    /// The end of the last word, in seconds; nil if it is not known.
    var lastSpeech: Double?
    /// Whether following windows must not be conditioned on the text up to here.
    var endsContext = false
}
