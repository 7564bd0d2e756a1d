/// What became of the words (or characters) of a text, counted along a shortest way from what was said to what was
/// heard.
public struct ErrorCounts: Sendable, Hashable, Codable {
    /// Heard as said.
    public var hits: Int
    /// Heard as another.
    public var substitutions: Int
    /// Said and not heard.
    public var deletions: Int
    /// Heard and not said.
    public var insertions: Int

    /// Creates counts.
    public init(hits: Int = 0, substitutions: Int = 0, deletions: Int = 0, insertions: Int = 0) {
        self.hits = hits
        self.substitutions = substitutions
        self.deletions = deletions
        self.insertions = insertions
    }

    /// How many were said.
    public var referenceCount: Int { hits + substitutions + deletions }

    /// The edit distance (Levenshtein 1966).
    public var errors: Int { substitutions + deletions + insertions }

    /// Errors for each word said: 0 is perfect, and more than 1 is possible.
    ///
    /// Where nothing was said there is nothing to divide by: the rate is 0 when nothing was heard either, and else nil.
    /// Such a file's insertions still count in the total.
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
