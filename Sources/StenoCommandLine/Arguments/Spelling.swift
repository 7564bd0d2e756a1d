import Steno

/// Suggestions for misspelled words.
enum Spelling {
    /// The word that was probably meant: the only one with this beginning, or one that differs in a letter or two; nil
    /// if none is close.
    ///
    /// A word and its negation (`--timestamps`, `--no-timestamps`) never count as close: suggesting the opposite would
    /// mislead.
    static func nearest(_ word: String, in words: [String]) -> String? {
        let candidates = words.filter { isNegated($0) == isNegated(word) }
        let beginning = candidates.filter { word.count >= 4 && $0.hasPrefix(word) }
        if beginning.count == 1 { return beginning[0] }
        let limit = word.count < 8 ? 1 : 2
        return candidates.map { (word: $0, distance: distance(word, $0)) }.filter { $0.distance <= limit }
            .min { $0.distance < $1.distance }?.word
    }

    private static func isNegated(_ word: String) -> Bool { word.hasPrefix("--no-") }

    /// The edit distance, in which two swapped letters count as one error.
    private static func distance(_ first: String, _ second: String) -> Int {
        EditDistance.distances(of: Array(first), from: Array(second), withSwaps: true).last ?? 0
    }
}
