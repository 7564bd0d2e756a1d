/// What an evaluation found, file by file; its JSON can be read again and compared with.
public struct EvaluationResult: Sendable, Hashable, Codable {
    /// Which model was heard with, in words for people, such as `base, int8`; nil for transcripts that were there
    /// before.
    public var model: String?
    /// How the texts were normalised.
    public var normalization: TextNormalization
    /// The files that were compared, in the manifest's order.
    public var files: [EvaluatedFile]
    /// The files that could not be compared; they count nowhere else.
    public var failures: [String]

    /// Creates a result.
    public init(
        model: String? = nil, normalization: TextNormalization, files: [EvaluatedFile] = [], failures: [String] = []
    ) {
        self.model = model
        self.normalization = normalization
        self.files = files
        self.failures = failures
    }

    /// The counts of all files together.
    public func total(_ metric: EvaluationMetric) -> ErrorCounts { files.map(metric.counts).total() }

    /// How sure the total is, over other files like these; nil with fewer than two.
    public func interval(_ metric: EvaluationMetric, _ bootstrap: Bootstrap = Bootstrap()) -> ConfidenceInterval? {
        bootstrap.interval(files.map(metric.counts))
    }

    /// How many seconds of audio were heard.
    public var duration: Double { files.compactMap(\.duration).reduce(0, +) }

    /// Seconds of audio for each second of work, over the files of which both are known; nil without any.
    public var speed: Double? {
        let timed = files.filter { $0.duration != nil && $0.elapsed != nil }
        let elapsed = timed.compactMap(\.elapsed).reduce(0, +)
        return elapsed > 0 ? timed.compactMap(\.duration).reduce(0, +) / elapsed : nil
    }

    /// The same texts in another normalisation.
    public func rescored(_ scorer: TextScorer) -> Self {
        var result = self
        result.normalization = scorer.normalization
        result.files = files.map { $0.rescored(scorer) }
        return result
    }

    private enum CodingKeys: String, CodingKey {
        case model
        case normalization = "normalizer"
        case files, failures
    }
}
