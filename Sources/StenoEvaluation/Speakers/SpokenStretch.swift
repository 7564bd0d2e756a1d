/// A stretch of a text with its speaker: a word, or a segment.
public struct SpokenStretch: Sendable, Hashable {
    /// The text.
    public var text: String
    /// The speaker; nil if unknown.
    public var speaker: String?
    /// The start in seconds, if it is known.
    public var start: Double?
    /// The end in seconds, if it is known.
    public var end: Double?

    /// Creates a stretch.
    public init(text: String, speaker: String?, start: Double? = nil, end: Double? = nil) {
        self.text = text
        self.speaker = speaker
        self.start = start
        self.end = end
    }
}

/// The segments of a transcript in JSON, or of a labelled manifest: what says who speaks.
struct LabelledSegments: Decodable {
    struct Segment: Decodable {
        struct Word: Decodable {
            var word: String
            var start: Double?
            var end: Double?
            var speaker: String?
        }

        var text: String?
        var start: Double?
        var end: Double?
        var speaker: String?
        var words: [Word]?
    }

    var segments: [Segment]?

    /// The words where they have speakers, else the segments.
    var stretches: [SpokenStretch] {
        (segments ?? []).flatMap { segment in
            let words = segment.words ?? []
            guard words.contains(where: { $0.speaker != nil }) else {
                let text = segment.text ?? words.map(\.word).joinedAsText()
                return [SpokenStretch(text: text, speaker: segment.speaker, start: segment.start, end: segment.end)]
            }
            return words.map {
                SpokenStretch(text: $0.word, speaker: $0.speaker ?? segment.speaker, start: $0.start, end: $0.end)
            }
        }
    }
}
