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

    /// The edit distance (Levenshtein 1966), in which two swapped letters count as one error.
    static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first), Array(second))
        var rows = [Array(0...second.count)]
        for row in 1..<(first.count + 1) {
            var next = [row]
            for column in 1..<(second.count + 1) {
                let isSame = first[row - 1] == second[column - 1]
                var cost = min(
                    rows[row - 1][column - 1] + (isSame ? 0 : 1), rows[row - 1][column] + 1, next[column - 1] + 1)
                if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
                    cost = min(cost, rows[row - 2][column - 2] + 1)
                }
                next.append(cost)
            }
            rows.append(next)
        }
        return rows[first.count][second.count]
    }
}
