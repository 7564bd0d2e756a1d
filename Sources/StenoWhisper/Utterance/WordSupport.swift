import Foundation
import StenoCore

/// The share of a search's texts that contain each word of the best one.
///
/// The probability of a word, given the words before it, says nothing about those after it. If another word leads to a
/// text that is hardly less probable as a whole, beam search has that text among its own. Each text is weighted by its
/// probability (an n-best list's posterior; Wessel et al. 2001, Confidence Measures for Large Vocabulary Continuous
/// Speech Recognition).
struct WordSupport {
    /// For each token of the best text, the weight of the texts that contain its word.
    private var weights: [Double]

    /// - Parameters:
    ///   - text: The best text's tokens, without special ones.
    ///   - hypotheses: All texts of the search, the best one included.
    init(of text: [Int], in hypotheses: [Hypothesis], _ tokenizer: Tokenizer, language: String) {
        weights = [Double](repeating: 1, count: text.count)
        guard hypotheses.count > 1, let best = hypotheses.map(\.logProbability).max() else { return }
        let words = tokenizer.splitToWordTokens(text, language: language)
        let keys = words.map { Word.key($0.text) }
        var (missing, total) = ([Double](repeating: 0, count: words.count), 0.0)
        for hypothesis in hypotheses {
            let weight = Double(exp(hypothesis.logProbability - best))
            total += weight
            let tokens = hypothesis.tokens.filter { $0 < tokenizer.specialTokens.endOfText }
            let others = tokenizer.splitToWordTokens(tokens, language: language).map { Word.key($0.text) }
            // Words that would have to be inserted are not in the other text.
            for case .insert(let word, _, _) in keys.difference(from: others) { missing[word] += weight }
        }
        weights = zip(words, missing).flatMap { word, missing in word.tokens.map { _ in 1 - missing / total } }
    }

    subscript(_ tokens: Range<Int>) -> Double { weights[tokens.clamped(to: weights.indices)].min() ?? 1 }
}
