/// A minimum edit alignment of a reference and a hypothesis, one step per word or character.
public struct EditAlignment: Sendable, Hashable {
    /// An alignment step.
    public enum Step: Sendable, Hashable {
        /// A hit: equal items.
        case hit
        /// A substitution: different items.
        case substitution
        /// A deletion: an item of the reference only.
        case deletion
        /// An insertion: an item of the hypothesis only.
        case insertion
    }

    /// The steps, from the start of both texts to their ends.
    public let steps: [Step]

    /// Aligns two texts with the minimum number of substitutions, deletions and insertions.
    ///
    /// Ties are broken as in RapidFuzz, and therefore jiwer, for texts up to about 2,000
    /// words. Time grows with the product of the lengths, 64 steps at once (Hyyrö 2003, "A bit-vector algorithm for
    /// computing Levenshtein and Damerau edit distances"); memory stays below some 32 MB for the alignment, since
    /// longer texts are split first (Hirschberg 1975).
    public init<Element: Hashable>(reference: [Element], hypothesis: [Element]) {
        var numbers: [Element: Int] = [:]
        func number(_ element: Element) -> Int {
            if let known = numbers[element] { return known }
            numbers[element] = numbers.count
            return numbers.count - 1
        }
        var aligner = EditAligner()
        aligner.align(reference.map(number)[...], hypothesis.map(number)[...])
        steps = aligner.steps
    }

    /// The number of steps of each kind.
    public var counts: ErrorCounts {
        steps.reduce(into: ErrorCounts()) { counts, step in
            switch step {
            case .hit: counts.hits += 1
            case .substitution: counts.substitutions += 1
            case .deletion: counts.deletions += 1
            case .insertion: counts.insertions += 1
            }
        }
    }
}
