/// Finds where a hypothesis continues the final words.
///
/// No word is forced on a decoding, so that a word that became final by mistake cannot distort those after it. A
/// hypothesis therefore repeats the final words, not always in the same form: it may have two words for one, or a
/// different word. An alignment by text and time (edit distance) shows which of its words are the final ones.
enum HypothesisSeam {
    /// The number of words of a hypothesis that are covered by the final words, punctuation between them included.
    ///
    /// - Parameters:
    ///   - hypothesis: The words of a decoding of the same audio, the final ones included.
    ///   - final: The final words whose audio was decoded.
    static func index(in hypothesis: [LiveWord], after final: [LiveWord]) -> Int {
        let all = final.filter { !$0.isPunctuation }
        let places = hypothesis.indices.filter { !hypothesis[$0].isPunctuation }
        guard let last = all.last, !places.isEmpty else { return 0 }
        let heard = places.map { hypothesis[$0] }
        if heard.count >= all.count, zip(heard, all).allSatisfy({ $0.key == $1.key }) {
            return places[all.count - 1] + 1
        }
        let costs = costs(Array(all.suffix(tail)), heard, isWhole: all.count <= tail)
        let best = possible(heard, after: last).min {
            costs[$0] + lateness($0, heard, last) < costs[$1] + lateness($1, heard, last)
        }
        guard let best, best > 0 else { return 0 }
        return places[best - 1] + 1
    }

    /// How many words the final ones can cover: at least all of earlier audio, and none of later audio.
    ///
    /// A decoding that ends too soon may have none of the last final words.
    private static func possible(_ heard: [LiveWord], after last: LiveWord) -> ClosedRange<Int> {
        let least = heard.lastIndex { $0.end < last.end - mostDifference }.map { $0 + 1 } ?? 0
        let most = heard.firstIndex { $0.start > last.end + mostDifference } ?? heard.count
        return least...max(least, most)
    }

    /// The times of a word in two decodings almost never differ by more than this.
    private static let mostDifference = 0.7.samples

    /// The number of final words compared.
    private static let tail = 8
    /// The cost of a final word that the hypothesis does not have.
    private static let missing = 1.0
    /// The cost of a word of the hypothesis that is not final.
    private static let added = 0.8
    /// The same before the first final word.
    private static let addedBefore = 0.7

    /// The costs of aligning the final words with the first 0, 1, 2 … words of the hypothesis.
    ///
    /// - Parameter isWhole: Whether these are all final words, so that nothing but mistakes comes before them.
    private static func costs(_ final: [LiveWord], _ heard: [LiveWord], isWhole: Bool) -> [Double] {
        var row = (0...heard.count).map { isWhole ? addedBefore * Double($0) : 0 }
        for word in final {
            var next = [row[0] + missing]
            for (index, other) in heard.enumerated() {
                next.append(min(row[index + 1] + missing, row[index] + difference(word, other), next[index] + added))
            }
            row = next
        }
        return row
    }

    /// The cost of replacing one word with another: 0 for the same word at the same time.
    private static func difference(_ word: LiveWord, _ other: LiveWord) -> Double {
        let distance = min(abs(word.end - other.end).seconds / 0.5, 1.5)
        return 0.4 * distance + (word.key == other.key ? 0 : 1 - 0.5 * similarity(word.key, other.key))
    }

    /// The cost of a seam that is not at the end of the last final word.
    private static func lateness(_ count: Int, _ heard: [LiveWord], _ last: LiveWord) -> Double {
        count == 0 ? 1.2 : 0.6 * min(abs(heard[count - 1].end - last.end).seconds / 0.5, 4)
    }

    /// The fraction of letters that two words have in common, in order, from 0 to 1.
    static func similarity(_ one: String, _ other: String) -> Double {
        let (a, b) = (Array(one.unicodeScalars), Array(other.unicodeScalars))
        guard !a.isEmpty, !b.isEmpty else { return 0 }
        var row = [Int](repeating: 0, count: b.count + 1)
        for letter in a {
            var diagonal = 0
            for index in b.indices {
                let above = row[index + 1]
                row[index + 1] = letter == b[index] ? diagonal + 1 : max(above, row[index])
                diagonal = above
            }
        }
        return 2 * Double(row[b.count]) / Double(a.count + b.count)
    }
}
