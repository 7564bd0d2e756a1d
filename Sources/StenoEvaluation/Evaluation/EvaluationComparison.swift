/// The difference between two results on the same files.
public struct EvaluationComparison: Sendable, Hashable {
    /// The figures of one metric.
    public struct Difference: Sendable, Hashable {
        /// What is counted.
        public var metric: EvaluationMetric
        /// The earlier result's rate.
        public var before: Double
        /// The rate of the new result.
        public var after: Double
        /// The confidence interval of the difference; nil with fewer than two files.
        public var interval: ConfidenceInterval?

        /// The new rate minus the earlier one: below 0 is better.
        public var change: Double { after - before }
        /// Whether the difference is statistically significant.
        public var isSignificant: Bool { interval.map { $0.low > 0 || $0.high < 0 } ?? false }
    }

    /// The number of files in both results.
    public var fileCount: Int
    /// The number of files in only one of them; they are left out.
    public var unmatchedCount: Int
    /// The figures, words first.
    public var differences: [Difference]
    /// The files whose number of errors in words has changed, by name, with both counts.
    public var changedFiles: [ChangedFile]

    /// A file whose number of errors in words has changed.
    public struct ChangedFile: Sendable, Hashable {
        /// The file's name.
        public var file: String
        /// The number of errors in the earlier result.
        public var before: Int
        /// The number of errors in the new result.
        public var after: Int
    }

    /// Compares a result with an earlier one, after normalising its texts in the same way.
    ///
    /// - Throws: `StenoError` `evaluationInput` when they have no files in common, or different references for a file.
    public init(
        _ result: EvaluationResult, with earlier: EvaluationResult, scorer: TextScorer,
        bootstrap: Bootstrap = Bootstrap()
    ) throws {
        let byName = Dictionary(earlier.files.map { ($0.file, $0) }) { first, _ in first }
        let pairs = try result.files.compactMap { file in
            try byName[file.file].map { (before: try Self.matched($0, file, scorer), after: file) }
        }
        guard !pairs.isEmpty else { throw EvaluationInput.failure("The two results have no files in common.") }
        fileCount = pairs.count
        unmatchedCount = result.files.count + earlier.files.count - 2 * pairs.count
        differences = try EvaluationMetric.allCases.compactMap { metric in
            let before = pairs.map { metric.counts($0.before) }
            let after = pairs.map { metric.counts($0.after) }
            guard let old = before.total().rate, let new = after.total().rate else { return nil }
            return try Difference(
                metric: metric, before: old, after: new, interval: bootstrap.interval(from: before, to: after))
        }
        changedFiles = pairs.filter { $0.before.words.errors != $0.after.words.errors }.map {
            ChangedFile(file: $0.after.file, before: $0.before.words.errors, after: $0.after.words.errors)
        }
    }

    /// The earlier texts, normalised in the language of the new ones.
    private static func matched(
        _ earlier: EvaluatedFile, _ file: EvaluatedFile, _ scorer: TextScorer
    ) throws -> EvaluatedFile {
        var earlier = earlier
        earlier.language = file.language
        let rescored = earlier.rescored(scorer)
        guard rescored.normalizedReference == file.normalizedReference else {
            throw EvaluationInput.failure(
                "\(file.file): the two results have different references, so they cannot be compared.")
        }
        return rescored
    }
}
