/// How live text weighs being final soon against being right.
///
/// Every word waits for evidence before it becomes final: the less probable it is, the longer the decodings have to
/// agree on it. The balance says how much evidence is enough; `Documentation/Live.md` has the times of each, and what was
/// measured.
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
/// Measured on real readers (Documentation/Live.md): whether a word of a hypothesis is still there at the end of the
/// utterance depends on its probability, and on how long the decodings have agreed on it.
struct EvidenceRule: Sendable {
    /// Probabilities in ascending order, each with the seconds of audio in which decodings have to agree.
    ///
    /// Between two of them the seconds are interpolated.
    private let curve: [(probability: Double, seconds: Double)]
    /// Probabilities in descending order, each with the silence after a word of at least this probability.
    ///
    /// The silence is in multiples of ``LiveOptions/pause``. A less probable word waits for the end of the utterance.
    private let pauses: [(probability: Double, multiple: Double)]

    init(_ balance: LiveBalance) {
        switch balance {
        case .soonest:
            curve = [(0.5, 0.4), (0.85, 0.15), (0.95, 0)]
            pauses = [(0.25, 1)]
        case .balanced:
            curve = [(0, 2.5), (0.25, 2), (0.5, 1.4), (0.7, 0.9), (0.85, 0.45), (0.95, 0.15), (1, 0)]
            pauses = [(0.85, 1), (0.25, 2)]
        case .accurate:
            // In speech without an end, too, words have to become final before the audio is too long for the model.
            curve = [(0, 8), (1, 5)]
            pauses = []
        }
    }

    /// The time for which decodings have to agree on a word, in samples.
    func steadiness(_ probability: Double) -> Int {
        guard let upper = curve.firstIndex(where: { $0.probability > probability }) else {
            return curve.last?.seconds.samples ?? 0
        }
        guard upper > 0 else { return curve[0].seconds.samples }
        let (low, high) = (curve[upper - 1], curve[upper])
        let share = (probability - low.probability) / (high.probability - low.probability)
        return (low.seconds + share * (high.seconds - low.seconds)).samples
    }

    /// The silence after which a word before it is final, in multiples of ``LiveOptions/pause``; nil is the end of the
    /// utterance.
    func silence(_ probability: Double) -> Double? { pauses.first { probability >= $0.probability }?.multiple }

    /// Whether words become final at a pause.
    var settlesAtPauses: Bool { !pauses.isEmpty }
}
