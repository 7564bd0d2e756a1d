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

    var speakerCount: Int {
        let turns = Set((turns ?? []).map(\.speaker))
        return turns.isEmpty ? Set((stretches ?? []).compactMap(\.speaker)).count : turns.count
    }
}

/// Errors in words and in their speakers.
public struct WordSpeakerErrors: Sendable, Hashable, Codable {
    /// The errors in the words of each speaker.
    ///
    /// Each speaker of the reference is compared with the speaker assigned to them. The rate is the concatenated
    /// minimum-permutation word error rate (cpWER).
    ///
    /// Watanabe et al. 2020, "CHiME-6 Challenge". A word with the wrong speaker is two errors: one missing, one extra.
    /// All words of a speaker without a counterpart are errors.
    public var concatenated: ErrorCounts
    /// The number of words of the hypothesis aligned with a word of the reference, right or wrong.
    public var aligned: Int
    /// The number of aligned words with the wrong speaker.
    public var wrongSpeaker: Int

    /// Creates counts.
    public init(concatenated: ErrorCounts = ErrorCounts(), aligned: Int = 0, wrongSpeaker: Int = 0) {
        self.concatenated = concatenated
        self.aligned = aligned
        self.wrongSpeaker = wrongSpeaker
    }

    /// The fraction of the aligned words with the wrong speaker (word diarization error rate).
    ///
    /// Shafey, Soltau and Shafran 2019, "Joint Speech Recognition and Speaker Diarization via Sequence Transduction".
    /// Nil without aligned words.
    public var wrongSpeakerRate: Double? { aligned > 0 ? Double(wrongSpeaker) / Double(aligned) : nil }

    /// The counts of two recordings together.
    public static func + (first: Self, second: Self) -> Self {
        Self(
            concatenated: first.concatenated + second.concatenated, aligned: first.aligned + second.aligned,
            wrongSpeaker: first.wrongSpeaker + second.wrongSpeaker)
    }

    private enum CodingKeys: String, CodingKey {
        case concatenated = "cp_words"
        case aligned
        case wrongSpeaker = "wrong_speaker"
    }
}

extension WordSpeakerErrors {
    init(reference: [SpokenWord], hypothesis: [SpokenWord]) {
        self.init(concatenated: Self.concatenated(reference, hypothesis))
        count(reference, hypothesis)
    }

    /// The errors of the best assignment of speakers.
    private static func concatenated(_ reference: [SpokenWord], _ hypothesis: [SpokenWord]) -> ErrorCounts {
        let (said, heard) = (streams(reference), streams(hypothesis))
        // A speaker without a partner is compared with nothing.
        let size = max(said.count, heard.count)
        let counts = (0..<size).map { row in
            (0..<size).map { column in
                EditAlignment(
                    reference: row < said.count ? said[row] : [], hypothesis: column < heard.count ? heard[column] : []
                ).counts
            }
        }
        let assignment = Assignment.minimum(counts.map { $0.map { Double($0.errors) } })
        return zip(counts, assignment).compactMap { row, column in column.map { row[$0] } }.total()
    }

    private static func streams(_ words: [SpokenWord]) -> [[String]] {
        let streams = Dictionary(grouping: words, by: \.speaker)
        return streams.keys.sorted().map { (streams[$0] ?? []).map(\.text) }
    }

    /// Counts the aligned words and, with the mapping of speakers that agrees for most of them, those that do not
    /// agree.
    private mutating func count(_ reference: [SpokenWord], _ hypothesis: [SpokenWord]) {
        let said = Set(reference.map(\.speaker)).sorted()
        let heard = Set(hypothesis.map(\.speaker).filter { !$0.isEmpty }).sorted()
        var common = Array(repeating: Array(repeating: 0.0, count: heard.count), count: said.count)
        var (row, place) = (0, 0)
        for step in EditAlignment(reference: reference.map(\.text), hypothesis: hypothesis.map(\.text)).steps {
            if step == .hit || step == .substitution {
                aligned += 1
                if let one = said.firstIndex(of: reference[row].speaker),
                    let other = heard.firstIndex(of: hypothesis[place].speaker)
                {
                    common[one][other] += 1
                }
            }
            if step != .insertion { row += 1 }
            if step != .deletion { place += 1 }
        }
        wrongSpeaker = aligned - Int(Assignment.largestSum(common))
    }
}
