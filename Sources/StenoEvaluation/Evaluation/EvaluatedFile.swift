/// A recording whose transcript was compared with a reference.
public struct EvaluatedFile: Sendable, Hashable, Codable {
    /// The name of the recording in the manifest.
    public var file: String
    /// The language both texts were normalised in; nil when it is unknown.
    public var language: String?
    /// The duration of the audio in seconds; nil if the transcript lacks it.
    public var duration: Double?
    /// The duration of the transcription in seconds; nil for an existing transcript.
    public var elapsed: Double?
    /// The reference, as in the manifest.
    public var reference: String
    /// The hypothesis, as in the transcript.
    public var hypothesis: String
    /// The normalised reference.
    public var normalizedReference: String
    /// The normalised hypothesis.
    public var normalizedHypothesis: String
    /// The hits and errors in words.
    public var words: ErrorCounts
    /// The hits and errors in characters.
    public var characters: ErrorCounts
    /// The errors in speaker labels; nil if speakers were not compared.
    public var speakers: SpeakerErrors?

    /// Scores a transcript against the reference.
    ///
    /// The language comes from the manifest, or else from `language`.
    public init(
        _ item: EvaluationItem, hypothesis: String, language: String? = nil, duration: Double? = nil,
        elapsed: Double? = nil, scorer: TextScorer
    ) {
        self.init(
            file: item.name, reference: item.text, hypothesis: hypothesis, language: item.language ?? language,
            duration: duration, elapsed: elapsed, scorer: scorer)
    }

    /// The same texts in another normalisation.
    public func rescored(_ scorer: TextScorer) -> Self {
        var rescored = Self(
            file: file, reference: reference, hypothesis: hypothesis, language: language, duration: duration,
            elapsed: elapsed, scorer: scorer)
        // The words with their speakers are not kept.
        rescored.speakers = speakers
        return rescored
    }

    /// Everything that is counted.
    var counts: [Int] {
        let rates = [words, characters, speakers?.words?.concatenated ?? ErrorCounts()]
        return rates.flatMap { [$0.hits, $0.substitutions, $0.deletions, $0.insertions] }
            + [speakers?.words?.aligned, speakers?.words?.wrongSpeaker, speakers?.speakers, speakers?.found]
            .compactMap(\.self)
    }

    private init(
        file: String, reference: String, hypothesis: String, language: String?, duration: Double?, elapsed: Double?,
        scorer: TextScorer
    ) {
        let score = scorer.score(reference: reference, hypothesis: hypothesis, language: language)
        self.file = file
        self.language = language
        self.duration = duration
        self.elapsed = elapsed
        self.reference = reference
        self.hypothesis = hypothesis
        normalizedReference = score.reference
        normalizedHypothesis = score.hypothesis
        words = score.words
        characters = score.characters
    }

    private enum CodingKeys: String, CodingKey {
        case file, language, duration, elapsed, reference, hypothesis
        case normalizedReference = "normalized_reference"
        case normalizedHypothesis = "normalized_hypothesis"
        case words, characters, speakers
    }
}

/// What is counted: words or characters.
public enum EvaluationMetric: String, Sendable, Hashable, Codable, CaseIterable {
    /// Words: the word error rate (WER).
    case words = "wer"
    /// Characters: the character error rate (CER).
    case characters = "cer"

    /// The counts of a file.
    public func counts(_ file: EvaluatedFile) -> ErrorCounts { self == .words ? file.words : file.characters }

    /// The name of the counted units.
    public var noun: String { self == .words ? "words" : "characters" }
}
