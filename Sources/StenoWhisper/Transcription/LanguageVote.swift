import StenoCore

/// Decides the language from several windows, by faster-whisper's rule.
///
/// The first window whose probability exceeds the threshold decides. Otherwise the language that most windows favour
/// wins, the earlier one among equals.
struct LanguageVote {
    /// The probability above which a single window decides.
    let threshold: Double
    /// The languages, in the order of the probabilities.
    let languages: [String]

    /// The best languages so far, in order of first appearance, with their probabilities.
    private var guesses: [(index: Int, probabilities: [Double])] = []
    private var decision: Int?
    private var last: [Double] = []

    init(_ languages: [String], threshold: Double) { (self.languages, self.threshold) = (languages, threshold) }

    /// Adds a window's probabilities; returns true if the window decides.
    mutating func add(_ probabilities: [Double]) -> Bool {
        last = probabilities
        let best = LanguageDetection.best(probabilities)
        guard probabilities[best] <= threshold else {
            decision = best
            return true
        }
        if let known = guesses.firstIndex(where: { $0.index == best }) {
            guesses[known].probabilities.append(probabilities[best])
        } else {
            guesses.append((best, [probabilities[best]]))
        }
        return false
    }

    /// The language so far, with its best window's probability, and all probabilities of the last window.
    var result: LanguageDetection {
        let all = Dictionary(zip(languages, last), uniquingKeysWith: { first, _ in first })
        if let decision {
            return LanguageDetection(language: languages[decision], probability: last[decision], probabilities: all)
        }
        guard let winner = guesses.max(by: { $0.probabilities.count < $1.probabilities.count }) else {
            return LanguageDetection(language: languages.first ?? "en", probability: 0, probabilities: all)
        }
        return LanguageDetection(
            language: languages[winner.index], probability: winner.probabilities.max() ?? 0, probabilities: all)
    }
}
