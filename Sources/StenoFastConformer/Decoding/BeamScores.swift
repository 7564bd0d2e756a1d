import Foundation

/// A frame's log probabilities for one hypothesis of a beam search: of blank, and of the tokens with the pull of phrases.
///
/// Phrases move probability from one token to another and leave blank's alone, so that no word appears where the model
/// hears none: p'(k) = p(k) · e^bonus(k) · m / Σⱼ p(j) · e^bonus(j), with m = 1 − p(blank) and the sum over all tokens.
struct BeamScores {
    private let row: [Float]
    private let bonuses: [Int: Float]
    /// log (m / Σ).
    private let shift: Double

    /// - Parameter row: The log probabilities of the tokens, and of blank, which is the last.
    init(_ row: [Float], bonuses: [Int: Float]) {
        self.row = row
        self.bonuses = bonuses.filter { $0.key < row.count - 1 }
        var (added, known) = (0.0, 0.0)
        for (token, bonus) in self.bonuses {
            let probability = exp(Double(row[token]))
            known += probability
            added += probability * expm1(Double(bonus))
        }
        // Rounding can make a probability of 1 of what is only close to it.
        let mass = max(-expm1(Double(row[row.count - 1])), known)
        shift = added > 0 ? -log1p(added / mass) : 0
    }

    var blank: Double { Double(row[row.count - 1]) }

    subscript(_ token: Int) -> Double { Double(row[token]) + Double(bonuses[token] ?? 0) + shift }

    /// A token's log probability without the pull of phrases.
    func plain(_ token: Int) -> Float { row[token] }

    /// The likeliest tokens, and all that phrases pull; in ascending order.
    func tokens(_ count: Int) -> [Int] {
        var known = Set(bonuses.keys)
        row.withUnsafeBufferPointer { row in
            guard let base = row.baseAddress else { return }
            known.formUnion(CTCHead.largest(min(count, row.count - 1), of: base, count: row.count - 1))
        }
        return known.sorted()
    }
}

/// log (e^a + e^b).
func logSum(_ a: Double, _ b: Double) -> Double {
    let (low, high) = a < b ? (a, b) : (b, a)
    return low == -.infinity ? high : high + log1p(exp(low - high))
}
