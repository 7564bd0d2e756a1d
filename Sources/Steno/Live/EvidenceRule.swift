import Foundation

struct Evidence: Sendable {
    /// The model's probability of the word, from 0 to 1.
    var certainty: Double
    /// The fraction of the search's texts that have it, from 0 to 1; quick decodings have one text.
    var support = 1.0
    /// The mean probability of all words of the hypothesis, the final ones included, from 0 to 1.
    var voice: Double
    /// The seconds of audio in which the decodings of this kind have agreed on the word.
    var steady: Double
    /// The seconds that the word takes.
    var duration: Double
    var isThorough: Bool

    /// The fraction of words with the same evidence that are read differently at the end of the utterance.
    ///
    /// A logistic regression over the words of real readers, computed by `Tools/live/fit_evidence.py` in the tag
    /// `experiments` (`Documentation/Project/LivePolicy.md`).
    var risk: Double {
        let weights = isThorough ? Self.thorough : Self.quick
        let logOdds =
            weights.bias + weights.certainty * Self.logOdds(certainty) + weights.support * Self.logOdds(support)
            + weights.voice * Self.logOdds(voice) + weights.steady * log(max(steady, 0) + 0.16)
            + weights.duration * log(max(duration, 0) + 0.05)
        return 1 / (1 + exp(logOdds))
    }

    private typealias Weights = (
        certainty: Double, support: Double, voice: Double, steady: Double, duration: Double, bias: Double
    )
    private static let quick: Weights = (1.09, 0, 0.84, 0.68, 1.2, 2.05)
    private static let thorough: Weights = (0.98, 0.13, 0.83, 0.42, 0.96, 1.81)

    private static func logOdds(_ probability: Double) -> Double {
        let bounded = min(max(probability, 0.01), 0.99)
        return log(bounded / (1 - bounded))
    }
}

/// Whether live text becomes final sooner or is more accurate.
///
/// Every word waits for evidence before it becomes final: the less sure the model is of it, the longer the decodings have
/// to agree on it. The balance sets the accepted risk of a mistake; `Documentation/Project/LiveMeasurements.md` has the
/// measurements.
public enum LiveBalance: String, Sendable, Hashable, CaseIterable, Codable {
    /// Words become final as soon as they are likely; more of them are wrong than in the transcript of a file.
    case soonest
    /// Words become final soon if they are clear, and later if they are doubtful.
    case balanced
    /// Words become final at the end of an utterance, or after several seconds of speech without a pause.
    case accurate
}

/// The evidence that a word needs before it becomes final.
///
/// The risk that a word is read differently at the end of its utterance was measured on real readers
/// (`Documentation/Project/LivePolicy.md`): see ``Evidence/risk``.
struct EvidenceRule: Sendable {
    /// The highest risk of a word that becomes final after quick decodings.
    private let quick: Double
    /// The highest risk of a word that becomes final after a thorough decoding.
    private let thorough: Double
    /// The relative growth of that risk with each second that a word delays those after it.
    private let impatience: Double
    /// The highest risk of a word before a pause; 0 leaves the words to the end of the utterance.
    private let pause: Double

    init(_ balance: LiveBalance) {
        switch balance {
        case .soonest: (quick, thorough, impatience, pause) = (0.1, 0.15, 6, 0.3)
        case .balanced: (quick, thorough, impatience, pause) = (0.01, 0.03, 18, 0.05)
        // Even in endless speech, words have to become final before the audio is too long for the model.
        case .accurate: (quick, thorough, impatience, pause) = (0.005, 0.01, 0.2, 0)
        }
    }

    /// Whether the evidence is enough to make a word final while its utterance continues.
    ///
    /// - Parameter age: The seconds of audio since the end of the word.
    func isEnough(_ evidence: Evidence, age: Double) -> Bool {
        guard evidence.isThorough else { return evidence.risk <= quick }
        return evidence.risk <= thorough * (1 + impatience * max(0, age - Self.soon))
    }

    /// A word that has waited less than this, in seconds, does not delay others.
    private static let soon = 1.0

    /// Whether the evidence is enough to make a word before a pause final.
    func isSettled(_ evidence: Evidence) -> Bool { evidence.risk <= pause }

    var settlesAtPauses: Bool { pause > 0 }
}
