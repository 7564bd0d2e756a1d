import StenoCore

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
