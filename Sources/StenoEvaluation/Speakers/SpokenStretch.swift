package import StenoCore

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

/// The segments of a JSON transcript, or of a manifest with speakers.
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

    /// The words if they have speakers, or else the segments.
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

extension [SpokenStretch] {
    /// The longest pause within a turn, in seconds, as in NIST's diarization evaluations.
    static var pauseWithinTurn: Double { 0.3 }

    /// Who speaks when; stretches without a time or a speaker are left out.
    package var turns: [SpeakerTurn] {
        compactMap { stretch in
            guard let start = stretch.start, let end = stretch.end, let speaker = stretch.speaker else { return nil }
            return SpeakerTurn(start: start, end: Swift.max(start, end), speaker: speaker)
        }
        .joined(within: Self.pauseWithinTurn)
    }

    var hasSpeakers: Bool { contains { $0.speaker != nil } }

    /// The normalised words with their speakers, in order of time.
    ///
    /// Consecutive words of one speaker are normalised as a whole, since a number may have several words.
    func words(_ scorer: TextScorer, language: String?) -> [SpokenWord] {
        inOrder.runs { $0.speaker ?? "" }.flatMap { run in
            let text = scorer.normalize(run.map(\.text).joined(separator: " "), language)
            return CodePoints(text).words().map { SpokenWord(text: $0, speaker: run.first?.speaker ?? "") }
        }
    }

    /// Sorted by start if all stretches have one; equal ones keep their order.
    private var inOrder: [SpokenStretch] {
        let starts = compactMap(\.start)
        guard starts.count == count else { return self }
        return zip(self, starts).enumerated()
            .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }
            .map(\.element.0)
    }
}

/// A normalised word and its speaker, which is empty if unknown.
struct SpokenWord: Hashable {
    var text: String
    var speaker: String
}
