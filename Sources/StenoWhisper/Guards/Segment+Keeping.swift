import StenoCore

extension Segment {
    /// The segment with only some of its words; nil when none is left.
    ///
    /// Its tokens are then those of the text that is left, between the timestamps it had.
    func keeping(_ kept: [Word], _ tokenizer: Tokenizer) -> Segment? {
        guard let words, kept.count < words.count else { return self }
        guard let first = kept.first, let last = kept.last else { return nil }
        let begin = tokenizer.specialTokens.timestampBegin
        let tokens = whisper?.tokens ?? []
        let opening = tokens.first.map { $0 >= begin ? [$0] : [] } ?? []
        let closing = tokens.count > 1 ? tokens.last.map { $0 >= begin ? [$0] : [] } ?? [] : []
        var segment = self
        segment.words = kept
        segment.text = kept.map(\.word).joined()
        segment.start = first.start
        segment.end = max(first.start, last.end)
        segment.whisper?.tokens = opening + tokenizer.encode(segment.text) + closing
        return segment
    }
}
