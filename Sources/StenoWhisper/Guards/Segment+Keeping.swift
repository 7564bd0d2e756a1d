import StenoCore

extension Segment {
    /// The segment reduced to some of its words; nil if there are none.
    ///
    /// Its tokens are re-encoded from the remaining text, between the segment's timestamps.
    func keeping(_ kept: [Word], _ tokenizer: Tokenizer) -> Segment? {
        guard let words, kept.count < words.count else { return self }
        guard let first = kept.first, let last = kept.last else { return nil }
        let begin = tokenizer.specialTokens.timestampBegin
        let tokens = whisper?.tokens ?? []
        let opening = tokens.first.map { $0 >= begin ? [$0] : [] } ?? []
        let closing = tokens.count > 1 ? tokens.last.map { $0 >= begin ? [$0] : [] } ?? [] : []
        var segment = self
        segment.words = kept
        segment.text = kept.map(\.rawText).joined()
        segment.start = first.start
        segment.end = max(first.start, last.end)
        segment.whisper?.tokens = opening + tokenizer.encode(segment.text) + closing
        return segment
    }
}
