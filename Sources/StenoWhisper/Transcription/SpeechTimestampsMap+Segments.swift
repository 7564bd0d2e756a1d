public import StenoCore
public import StenoVoice

extension SpeechTimestampsMap {
    /// A segment, and its words, at the times of the original.
    ///
    /// A word goes where its middle is, so that it does not stretch over a silence. The segment's ``WhisperSegmentDetails/seek``
    /// stays what it was: a place in the joined chunks.
    public func restore(_ segment: Segment) -> Segment {
        guard !isEmpty else { return segment }
        var restored = segment
        if let words = segment.words, !words.isEmpty {
            let moved = words.map(restore)
            restored.words = moved
            restored.start = moved[0].start
            restored.end = moved[moved.count - 1].end
        } else {
            let seek = segment.whisper?.seek ?? 0
            restored.start = originalTime(Self.unrounded(segment.start, seek: seek))
            restored.end = originalTime(Self.unrounded(segment.end, seek: seek), isEnd: true)
        }
        return restored
    }

    /// What was taken out, from the first to the last of its words in the original.
    func restore(_ removal: GuardRemoval) -> GuardAction {
        var action = removal.action
        guard !isEmpty, let first = removal.words.first, let last = removal.words.last else { return action }
        (action.start, action.end) = (restore(first).start, restore(last).end)
        return action
    }

    private func restore(_ word: Word) -> Word {
        let chunk = chunkIndex(at: (word.start + word.end) / 2)
        var restored = word
        restored.start = originalTime(word.start, chunk: chunk)
        restored.end = originalTime(word.end, chunk: chunk)
        return restored
    }

    /// The sum that faster-whisper computes for a segment's time, which can be a little off the rounded one: it decides
    /// on which side of a cut a time lies that is exactly on it.
    private static func unrounded(_ time: Double, seek: Int) -> Double {
        let frame = (time * 100).rounded()
        let sum = Double(seek) * 0.01 + (frame - Double(seek)) * 0.01
        return abs(sum - time) < 1e-6 ? sum : time
    }
}
