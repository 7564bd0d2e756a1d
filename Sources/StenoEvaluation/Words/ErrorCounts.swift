/// The counts of hits and errors in words (or characters) along a minimum edit alignment.
public struct ErrorCounts: Sendable, Hashable, Codable {
    /// Correct words.
    public var hits: Int
    /// Words replaced by another.
    public var substitutions: Int
    /// Words missing from the hypothesis.
    public var deletions: Int
    /// Words only in the hypothesis.
    public var insertions: Int

    /// Creates counts.
    public init(hits: Int = 0, substitutions: Int = 0, deletions: Int = 0, insertions: Int = 0) {
        self.hits = hits
        self.substitutions = substitutions
        self.deletions = deletions
        self.insertions = insertions
    }

    /// The number of words in the reference.
    public var referenceCount: Int { hits + substitutions + deletions }

    /// The edit distance (Levenshtein 1966).
    public var errors: Int { substitutions + deletions + insertions }

    /// Errors per word of the reference: 0 is perfect, and more than 1 is possible.
    ///
    /// Without words in the reference, the rate is 0 if the hypothesis is empty too, and otherwise nil. The insertions
    /// of such a file still count in the total.
    public var rate: Double? {
        if referenceCount > 0 { return Double(errors) / Double(referenceCount) }
        return errors == 0 ? 0 : nil
    }

    /// The counts of two texts together.
    public static func + (first: Self, second: Self) -> Self {
        Self(
            hits: first.hits + second.hits, substitutions: first.substitutions + second.substitutions,
            deletions: first.deletions + second.deletions, insertions: first.insertions + second.insertions)
    }
}

extension Sequence<ErrorCounts> {
    /// The counts of all texts together.
    public func total() -> ErrorCounts { reduce(ErrorCounts(), +) }
}
