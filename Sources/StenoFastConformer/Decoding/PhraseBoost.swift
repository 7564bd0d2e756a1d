import Foundation

/// Makes the tokens of some phrases likelier, in any way that the vocabulary can spell them.
///
/// As in NeMo's boosting trees, a token is never inserted where the model hears none: only the choice between tokens
/// changes. The pull grows while a phrase continues.
struct PhraseBoost: Sendable {
    /// Parts of phrases that the last tokens spelled: the phrase, the bytes so far, and the tokens.
    struct Progress: Hashable {
        fileprivate var phrase: Int
        fileprivate var offset: Int
        fileprivate var tokens: Int
    }

    /// Added to the logit of a phrase's first token; a later token gets twice as much more than the one before.
    private static let weight: Float = 1
    /// The largest pull: a wrong phrase must not be unstoppable.
    private static let limit: Float = 5

    /// The bytes of each phrase, with a space before each word.
    private let phrases: [[UInt8]]
    private let ids: [[UInt8]: Int]
    private let longest: Int

    /// - Returns: Nil if no phrase has any text.
    init?(_ phrases: [String], tokenizer: FastConformerTokenizer) {
        self.phrases = phrases.compactMap { phrase in
            let words = phrase.split(whereSeparator: \.isWhitespace)
            return words.isEmpty ? nil : Array(words.map { " " + $0 }.joined().utf8)
        }
        guard !self.phrases.isEmpty else { return nil }
        var ids: [[UInt8]: Int] = [:]
        for id in tokenizer.pieces.indices {
            let bytes = tokenizer.bytes(of: id)
            // The first of several pieces with the same bytes; a byte piece comes before the letter it spells.
            if !bytes.isEmpty, ids[bytes] == nil || tokenizer.pieces[id].kind == .normal { ids[bytes] = id }
        }
        self.ids = ids
        longest = ids.keys.map(\.count).max() ?? 0
    }

    /// The tokens that begin or continue a phrase, with what to add to their logits.
    func bonuses(after progress: Set<Progress>) -> [Int: Float] {
        var bonuses: [Int: Float] = [:]
        for place in places(progress) {
            let bonus = min(Self.weight * Float(2 * place.tokens + 1), Self.limit)
            for (id, _) in continuations(of: place) { bonuses[id] = max(bonuses[id] ?? 0, bonus) }
        }
        return bonuses
    }

    func progress(_ progress: Set<Progress>, after token: Int) -> Set<Progress> {
        var next: Set<Progress> = []
        for place in places(progress) {
            for (id, length) in continuations(of: place) where id == token {
                let offset = place.offset + length
                guard offset < phrases[place.phrase].count else { continue }
                next.insert(Progress(phrase: place.phrase, offset: offset, tokens: place.tokens + 1))
            }
        }
        return next
    }

    /// Where a token can continue: within phrases, and at the start of each.
    private func places(_ progress: Set<Progress>) -> [Progress] {
        progress + phrases.indices.map { Progress(phrase: $0, offset: 0, tokens: 0) }
    }

    /// The tokens that spell the next bytes of a phrase, and their lengths.
    private func continuations(of place: Progress) -> [(id: Int, length: Int)] {
        let rest = phrases[place.phrase][place.offset...]
        return (1...max(longest, 1)).prefix(rest.count).compactMap { length in
            ids[Array(rest.prefix(length))].map { ($0, length) }
        }
    }
}

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
