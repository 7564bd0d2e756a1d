/// A recording whose transcript was compared with what is said in it.
public struct EvaluatedFile: Sendable, Hashable, Codable {
    /// The recording's name in the manifest.
    public var file: String
    /// The language both texts were normalised in; nil when it was not known.
    public var language: String?
    /// The length of the audio in seconds; nil when the transcript did not say it.
    public var duration: Double?
    /// How many seconds the transcription took; nil when the transcript was there before.
    public var elapsed: Double?
    /// What is said, as the manifest has it.
    public var reference: String
    /// What was heard, as the transcript has it.
    public var hypothesis: String
    /// What is said, as it was compared.
    public var normalizedReference: String
    /// What was heard, as it was compared.
    public var normalizedHypothesis: String
    /// Word errors.
    public var words: ErrorCounts
    /// Character errors.
    public var characters: ErrorCounts

    /// Compares a transcript with what is said.
    ///
    /// The language is the manifest's, else the one given.
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
        Self(
            file: file, reference: reference, hypothesis: hypothesis, language: language, duration: duration,
            elapsed: elapsed, scorer: scorer)
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
        case words, characters
    }
}

/// What is counted.
public enum EvaluationMetric: String, Sendable, Hashable, Codable, CaseIterable {
    /// Words: the word error rate (WER).
    case words = "wer"
    /// Characters: the character error rate (CER).
    case characters = "cer"

    /// The counts of a file.
    public func counts(_ file: EvaluatedFile) -> ErrorCounts { self == .words ? file.words : file.characters }

    /// What one of the things counted is called.
    public var noun: String { self == .words ? "words" : "characters" }
}
