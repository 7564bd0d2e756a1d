import StenoCore

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The share of a search's texts that have a word of the best one.
///
/// The probability of a word, given the words before it, says nothing about those after it. Where another word there leads
/// to a text that is hardly less probable as a whole, the beam search has it among its texts: their weights are their
/// probabilities (an n-best list's posterior; Wessel et al. 2001, Confidence Measures for Large Vocabulary Continuous
/// Speech Recognition).
struct WordSupport {
    /// The weight of the texts that have each token of the best one, in a word of the same letters.
    private var weights: [Double]

    /// - Parameters:
    ///   - text: The best text's tokens, without special ones.
    ///   - hypotheses: All texts of the search, the best one included.
    init(of text: [Int], in hypotheses: [Hypothesis], _ tokenizer: Tokenizer, language: String) {
        weights = [Double](repeating: 1, count: text.count)
        guard hypotheses.count > 1, let best = hypotheses.map(\.logProbability).max() else { return }
        let endOfText = tokenizer.specialTokens.endOfText
        let words = Self.words(of: text, tokenizer, language)
        var total = 0.0
        var found = [Double](repeating: 0, count: words.count)
        for hypothesis in hypotheses {
            let weight = Double(exp(hypothesis.logProbability - best))
            total += weight
            let tokens = hypothesis.tokens.filter { $0 < endOfText }
            let same =
                tokens == text ? Array(words.indices) : Self.common(words, Self.words(of: tokens, tokenizer, language))
            for index in same { found[index] += weight }
        }
        var position = 0
        for (word, weight) in zip(words, found) {
            for index in position..<min(position + word.count, text.count) { weights[index] = weight / total }
            position += word.count
        }
    }

    /// The support of the word with these tokens.
    subscript(_ tokens: Range<Int>) -> Double { weights[tokens.clamped(to: weights.indices)].min() ?? 1 }

    /// The letters of a text's words, and the number of their tokens.
    private static func words(of tokens: [Int], _ tokenizer: Tokenizer, _ language: String) -> [(
        key: String, count: Int
    )] {
        tokenizer.splitToWordTokens(tokens, language: language).map {
            (
                String(
                    $0.text.lowercased().unicodeScalars.filter {
                        $0.properties.isAlphabetic || $0.properties.numericType != nil
                    }),
                $0.tokens.count
            )
        }
    }

    /// The indices of the words that another text has too, in the same order (longest common subsequence).
    private static func common(_ words: [(key: String, count: Int)], _ others: [(key: String, count: Int)]) -> [Int] {
        var lengths = [[Int]](repeating: [Int](repeating: 0, count: others.count + 1), count: words.count + 1)
        for i in words.indices.reversed() {
            for j in others.indices.reversed() {
                lengths[i][j] =
                    words[i].key == others[j].key
                    ? lengths[i + 1][j + 1] + 1 : max(lengths[i + 1][j], lengths[i][j + 1])
            }
        }
        var (i, j) = (0, 0)
        var common: [Int] = []
        while i < words.count, j < others.count {
            if words[i].key == others[j].key {
                common.append(i)
                (i, j) = (i + 1, j + 1)
            } else if lengths[i + 1][j] >= lengths[i][j + 1] {
                i += 1
            } else {
                j += 1
            }
        }
        return common
    }
}
