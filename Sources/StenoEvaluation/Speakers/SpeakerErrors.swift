package import StenoCore

/// The errors in the speaker labels of a recording.
public struct SpeakerErrors: Sendable, Hashable, Codable {
    /// Errors in speaker turns; nil if one side has no times.
    public var diarization: DiarizationErrors?
    /// Errors in the speakers of words; nil if one side has no words.
    public var words: WordSpeakerErrors?
    /// The number of speakers in the reference.
    public var speakers: Int
    /// The number of speakers in the hypothesis.
    public var found: Int

    /// Creates errors.
    public init(diarization: DiarizationErrors?, words: WordSpeakerErrors?, speakers: Int, found: Int) {
        self.diarization = diarization
        self.words = words
        self.speakers = speakers
        self.found = found
    }
}

extension SpeakerErrors {
    /// Compares the turns if both sides have them, and the words if both sides have them.
    package init(
        reference: SpeakerLabels, hypothesis: SpeakerLabels, scoring: DiarizationScoring, scorer: TextScorer,
        language: String?
    ) {
        diarization = reference.turns.flatMap { said in
            hypothesis.turns.map { DiarizationErrors(reference: said, hypothesis: $0, scoring: scoring) }
        }
        words = reference.stretches.flatMap { said in
            hypothesis.stretches.map {
                WordSpeakerErrors(
                    reference: said.words(scorer, language: language), hypothesis: $0.words(scorer, language: language))
            }
        }
        (speakers, found) = (reference.speakerCount, hypothesis.speakerCount)
    }
}

/// Who speaks when and who says what, on one side of a comparison.
package struct SpeakerLabels: Sendable, Equatable {
    /// The turns; nil when times are not known.
    package var turns: [SpeakerTurn]?
    /// The text with its speakers; nil when only turns are known.
    package var stretches: [SpokenStretch]?

    /// Creates labels; without turns, they come from the text if it has times.
    package init(turns: [SpeakerTurn]? = nil, stretches: [SpokenStretch]? = nil) {
        self.stretches = stretches
        self.turns = turns ?? stretches.flatMap { $0.contains { $0.start != nil } || $0.isEmpty ? $0.turns : nil }
    }

    package init(_ transcript: Transcript) {
        self.init(
            turns: transcript.speakerTurns,
            stretches: transcript.segments.flatMap { segment in
                let words = segment.words ?? []
                guard words.contains(where: { $0.speaker != nil }) else {
                    let (start, end) = (segment.start, segment.end)
                    return [SpokenStretch(text: segment.text, speaker: segment.speaker, start: start, end: end)]
                }
                return words.map {
                    SpokenStretch(
                        text: $0.rawText, speaker: $0.speaker ?? segment.speaker, start: $0.start, end: $0.end)
                }
            })
    }

    /// The number of different speakers.
    var speakerCount: Int {
        let turns = Set((turns ?? []).map(\.speaker))
        return turns.isEmpty ? Set((stretches ?? []).compactMap(\.speaker)).count : turns.count
    }
}
