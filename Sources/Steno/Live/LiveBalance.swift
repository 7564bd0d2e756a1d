#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// How live text weighs being final soon against being right.
///
/// Every word waits for evidence before it becomes final: the less sure the model is of it, the longer the decodings have
/// to agree on it. The balance says which risk of a mistake is accepted; `Documentation/Live.md` has what was measured.
public enum LiveBalance: String, Sendable, Hashable, CaseIterable, Codable {
    /// Words become final as soon as they are likely, and more of them are wrong than in the text of a file.
    case soonest
    /// Words become final soon if they are clear, and later if they are doubtful.
    case balanced
    /// Words become final at the end of an utterance, with the whole of it heard, or after some seconds of speech without
    /// a pause.
    case accurate
}

/// The evidence that a word needs before it becomes final.
///
/// The risk that a word is read otherwise at the end of its utterance was measured on real readers
/// (`Documentation/Live.md`). Three things say most about it, and in log odds their weights add up (logistic regression):
/// how sure the model is of the word, for how long the decodings have agreed on it, and how well the model understands
/// the voice.
struct EvidenceRule: Sendable {
    /// The highest risk of a word that becomes final at once.
    private let acceptedRisk: Double
    /// By what share of it the accepted risk grows with each second that a word holds up those after it.
    private let impatience: Double
    /// The certainty in descending order, each with the silence after a word that is at least so certain.
    ///
    /// The silence is in multiples of ``LiveOptions/pause``. A less certain word waits for the end of the utterance.
    private let pauses: [(certainty: Double, multiple: Double)]

    init(_ balance: LiveBalance) {
        switch balance {
        case .soonest: (acceptedRisk, impatience, pauses) = (0.15, 2, [(0.15, 1)])
        case .balanced: (acceptedRisk, impatience, pauses) = (0.03, 0.5, [(0.75, 1), (0.25, 2)])
        // In speech without an end, too, words have to become final before the audio is too long for the model.
        case .accurate: (acceptedRisk, impatience, pauses) = (0.01, 0.2, [])
        }
    }

    /// Whether the evidence is enough to make a word final while its utterance continues.
    ///
    /// - Parameters:
    ///   - certainty: The model's probability of the word, from 0 to 1.
    ///   - voice: The mean probability of the words of the hypothesis, from 0 to 1.
    ///   - steady: The seconds of audio in which the decodings have agreed on the word.
    ///   - age: The seconds of audio since the end of the word.
    func isEnough(certainty: Double, voice: Double, steady: Double, age: Double) -> Bool {
        Self.risk(certainty: certainty, voice: voice, steady: steady)
            <= acceptedRisk * (1 + impatience * max(0, age - Self.soon))
    }

    /// The share of words with the same evidence that are read otherwise at the end of the utterance.
    static func risk(certainty: Double, voice: Double, steady: Double) -> Double {
        let logOdds =
            1.08 + 0.93 * Self.logOdds(certainty) + 0.77 * Self.logOdds(voice) + 0.54 * log(max(steady, 0) + 0.16)
        return 1 / (1 + exp(logOdds))
    }

    /// A word that waits no longer than this, in seconds, holds up nobody.
    private static let soon = 1.0

    private static func logOdds(_ probability: Double) -> Double {
        let bounded = min(max(probability, 0.01), 0.995)
        return log(bounded / (1 - bounded))
    }

    /// The silence after which a word before it is final, in multiples of ``LiveOptions/pause``; nil is the end of the
    /// utterance.
    func silence(_ certainty: Double) -> Double? { pauses.first { certainty >= $0.certainty }?.multiple }

    /// Whether words become final at a pause.
    var settlesAtPauses: Bool { !pauses.isEmpty }
}
