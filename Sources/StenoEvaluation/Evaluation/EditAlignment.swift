/// A shortest way from what was said to what was heard, one step a word or character.
public struct EditAlignment: Sendable, Hashable {
    /// What happens in one step.
    public enum Step: Sendable, Hashable {
        /// Both continue by one, and are equal.
        case hit
        /// Both continue by one, and differ.
        case substitution
        /// What was said continues by one.
        case deletion
        /// What was heard continues by one.
        case insertion
    }

    /// The steps, from the start of both texts to their ends.
    public let steps: [Step]

    /// Aligns two texts, with as few substitutions, deletions and insertions as possible.
    ///
    /// Where several ways are equally short, the choice is RapidFuzz's, and so jiwer's, for texts up to about 2,000
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

    /// How often each step occurs.
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
