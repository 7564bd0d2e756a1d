import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoWhisper

/// CTranslate2's beam search as a second, naive implementation: every candidate of every beam is sorted.
private struct PlainBeamSearch {
    let search: ScriptedSearch
    let beams: Int
    let patience: Double

    struct Beam {
        var tokens: [Int]
        var logProbabilities: [Float]
        var score: Float
    }

    func run() -> [Hypothesis] {
        let wanted = Int((Float(beams) * Float(patience)).rounded(.toNearestOrAwayFromZero))
        var alive = [Beam(tokens: search.forced, logProbabilities: search.forced.map { _ in 0 }, score: 0)]
        var finished: [Hypothesis] = []
        var bestHasEnded = false
        for length in search.forced.count..<search.maxTokens {
            var candidates = alive.flatMap(expand).enumerated()
                .sorted {
                    $0.element.score == $1.element.score ? $0.offset < $1.offset : $0.element.score > $1.element.score
                }
                .prefix(2 * beams).map(\.element)
            if length == search.forced.count, !search.forced.isEmpty {
                for index in 1..<candidates.count where ends(candidates[index]) {
                    candidates[index] = Beam(
                        tokens: search.forced + [0], logProbabilities: search.forced.map { _ in 0 } + [0], score: -1e10)
                }
            }
            let isLast = length + 1 == search.maxTokens
            var spare = candidates[beams...].filter { !ends($0) }[...]
            alive = candidates.prefix(beams).enumerated().map { index, candidate in
                guard ends(candidate) || isLast else { return candidate }
                bestHasEnded = bestHasEnded || index == 0
                finished.append(
                    Hypothesis(
                        tokens: ends(candidate) ? candidate.tokens.dropLast() : candidate.tokens,
                        tokenLogProbabilities: ends(candidate)
                            ? candidate.logProbabilities.dropLast() : candidate.logProbabilities,
                        logProbability: candidate.score))
                return spare.popFirst() ?? candidate
            }
            if search.lengthPenalty == 0 ? bestHasEnded : finished.count >= wanted { break }
        }
        return finished.enumerated().sorted {
            let first = score($0.element), second = score($1.element)
            return first == second ? $0.offset < $1.offset : first > second
        }.map(\.element)
    }

    private func score(_ hypothesis: Hypothesis) -> Float { hypothesis.score(lengthPenalty: search.lengthPenalty) }

    private func ends(_ beam: Beam) -> Bool { beam.tokens.last == search.endOfText }

    private func expand(_ beam: Beam) -> [Beam] {
        var logits = search.script(beam.tokens)
        beam.tokens.map(Int32.init).withUnsafeBufferPointer { history in
            logits.withUnsafeMutableBufferPointer {
                search.rules.apply(to: $0, history: history, forced: search.forced.count)
            }
        }
        Reductions.logSoftmax(&logits, count: logits.count)
        return logits.enumerated().map {
            Beam(
                tokens: beam.tokens + [$0.offset], logProbabilities: beam.logProbabilities + [$0.element],
                score: $0.element + beam.score)
        }
    }
}

struct BeamSearchTests {
    /// Random logits that depend on the preceding tokens; with `steps`, they are quantised so that ties occur.
    static func random(_ seed: UInt64, vocabulary: Int, steps: Float?, endBias: Float) -> ScriptedSearch.Script {
        { history in
            var stream = SplitMix64(seed: history.reduce(seed) { ($0 &+ UInt64($1 + 1)) &* 0x9E37_79B9_7F4A_7C15 })
            var logits = stream.uniform(count: vocabulary, centre: 0, span: 3)
            logits[vocabulary - 1] += endBias
            guard let steps else { return logits }
            return logits.map { ($0 / steps).rounded() * steps }
        }
    }

    /// Thousands of tiny vocabularies.
    @Test(arguments: 0..<8) func equalsCTranslate2sLoop(part: Int) {
        var ended = 0, cut = 0
        for round in 0..<(isLong ? 500 : 60) {
            var random = SplitMix64(seed: UInt64(part << 32 | round))
            let beams = Int.random(in: 1...5, using: &random)
            let vocabulary = Int.random(in: max(3, 2 * beams)...14, using: &random)
            var search = ScriptedSearch(
                vocabularySize: vocabulary, endOfText: vocabulary - 1,
                script: Self.random(
                    random.next(), vocabulary: vocabulary,
                    steps: [nil, 0.5, 2][Int.random(in: 0..<3, using: &random)],
                    endBias: Float(Int.random(in: -3...2, using: &random))))
            search.maxTokens = Int.random(in: 1...12, using: &random)
            search.lengthPenalty = [1, 1, 0, 0.6, 2][Int.random(in: 0..<5, using: &random)]
            if Int.random(in: 0..<3, using: &random) == 0 {
                search.forced = (0..<Int.random(in: 1...3, using: &random)).map { $0 % (vocabulary - 1) }
                search.maxTokens += search.forced.count
            }
            if Bool.random(using: &random) { search.rules.suppressedAtBegin = [vocabulary - 1, 0] }
            let patience = [1, 1, 2, 0.5, 1.3][Int.random(in: 0..<5, using: &random)]

            let expected = PlainBeamSearch(search: search, beams: beams, patience: patience).run()
            #expect(search.beam(beams, patience: patience).hypotheses == expected, "part \(part), round \(round)")
            ended += expected.filter { $0.tokens.count < search.maxTokens }.count
            cut += expected.filter { $0.tokens.count == search.maxTokens }.count
        }
        // Both ways of ending must occur for the comparison to mean anything.
        #expect(ended > 20 && cut > 20)
    }

    /// A vocabulary of a, b, c and end of text, by probabilities.
    static func words(_ next: [[Int]: [Float]], otherwise: [Float] = [0.01, 0.01, 0.01, 0.97]) -> ScriptedSearch {
        ScriptedSearch(vocabularySize: 4, endOfText: 3) { history in
            (next[history] ?? otherwise).map { $0 > 0 ? logarithm($0) : LogitRules.forbidden }
        }
    }

    /// Greedy search chooses a, beam search the more probable text that starts with b.
    @Test func looksFurtherThanGreedySearch() {
        let search = Self.words([
            []: [0.5, 0.45, 0.04, 0.01], [0]: [0.3, 0.3, 0.3, 0.1], [1]: [0.02, 0.02, 0.95, 0.01],
        ])
        #expect(search.beam(2).hypotheses.first?.tokens == [1, 2])
        #expect(search.samples(1, temperature: 0).hypotheses.first?.tokens.first == 0)
    }

    /// A silent window ends at once; the end of text counts in the probability, though not as a token.
    @Test func anImmediateEndIsAnEmptyTextThatLosesToAnyOther() {
        let search = Self.words([[]: [0.05, 0.03, 0.02, 0.9]])
        let hypotheses = search.beam(2).hypotheses
        #expect(hypotheses.last?.tokens == [])
        #expect(hypotheses.first?.tokens == [0])
        #expect(hypotheses.last?.score(lengthPenalty: 1) == -.infinity)
    }

    @Test func patienceWaitsForMore() {
        let search = Self.words([[]: [0.4, 0.4, 0.2, 0]], otherwise: [0.3, 0.2, 0.1, 0.4])
        let counts = [0.5, 1, 2, 3].map { search.beam(2, patience: $0).hypotheses.count }
        #expect(counts == counts.sorted())
        #expect(counts[1] >= 2 && counts[2] >= 4 && counts[3] >= 6)
        // Whatever the patience, one text is wanted; and the search does not wait for more than can exist.
        #expect(search.beam(2, patience: 1e-9).hypotheses.count >= 1)
        #expect(search.beam(2, patience: 1e300).hypotheses.count > 6)
    }

    @Test func lengthPenaltyPrefersLongTexts() {
        var search = Self.words(
            [[]: [0.6, 0, 0, 0.4], [0]: [0, 0.5, 0, 0.5], [0, 1]: [0, 0, 0.9, 0.1]], otherwise: [0, 0, 0, 1])
        search.lengthPenalty = 0.01
        let short = search.beam(2, patience: 2).hypotheses.first?.tokens.count ?? 0
        search.lengthPenalty = 3
        let long = search.beam(2, patience: 2).hypotheses.first?.tokens.count ?? 0
        #expect(short < long)
    }

    @Test func theLimitCutsTheText() {
        var search = Self.words([:], otherwise: [0.9, 0.06, 0.04, 0])
        search.maxTokens = 6
        let run = search.beam(2)
        #expect(run.hypotheses.count == 2)
        #expect(run.hypotheses.first?.tokens == [0, 0, 0, 0, 0, 0])
        #expect(run.hypotheses.allSatisfy { $0.tokens.count == 6 })
        // The last token needs no logits.
        #expect(run.steps.count == 5)
    }

    @Test func oneTokenNeedsNoStep() {
        var search = Self.words([[]: [0.1, 0.6, 0.2, 0.1]])
        search.maxTokens = 1
        let run = search.beam(2)
        #expect(run.steps.isEmpty)
        #expect(run.hypotheses.map(\.tokens) == [[1], [2]])
    }

    @Test func forcedTokensArePresentAndCostNothing() {
        var search = Self.words([[2, 2]: [0.2, 0.7, 0.1, 0], [2, 2, 1]: [0.1, 0, 0, 0.9]])
        search.forced = [2, 2]
        let best = search.beam(2).hypotheses.first
        #expect(best?.tokens == [2, 2, 1])
        #expect(abs((best?.logProbability ?? 0) - logarithm(0.7) - logarithm(0.9)) < 1e-5)
    }

    /// If all are equal, the lowest tokens of the lowest beam win, as the tiny test model requires.
    @Test func tiesGoToTheLowestToken() {
        var search = Self.words([:], otherwise: [0.25, 0.25, 0.25, 0.25])
        search.maxTokens = 3
        #expect(search.beam(2).hypotheses.first?.tokens == [0, 0, 0])
        #expect(search.samples(1, temperature: 0).hypotheses.first?.tokens == [0, 0, 0])
    }

    @Test func logitsThatAreNotFiniteEndTheSearch() {
        var search = ScriptedSearch(vocabularySize: 12, endOfText: 11) { _ in [Float](repeating: .nan, count: 12) }
        search.maxTokens = 5
        #expect(search.beam(5).hypotheses.first?.logProbability.isNaN == true)
        #expect(search.samples(2, temperature: 0.5).hypotheses.first?.logProbability.isNaN == true)
        #expect(search.samples(1, temperature: 0).hypotheses.first?.logProbability.isNaN == true)
    }
}
