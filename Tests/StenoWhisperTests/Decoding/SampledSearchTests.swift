import Foundation
import StenoTestSupport
import Testing

@testable import StenoWhisper

func logarithm(_ x: Float) -> Float { Float(log(Double(x))) }

struct SampledSearchTests {
    static func words(_ probabilities: [Float]) -> ScriptedSearch {
        ScriptedSearch(vocabularySize: probabilities.count, endOfText: probabilities.count - 1) { _ in
            probabilities.map { $0 > 0 ? logarithm($0) : LogitRules.forbidden }
        }
    }

    /// How often each token is sampled first.
    static func counts(_ probabilities: [Float], temperature: Double, draws: Int) -> [Int] {
        var search = words(probabilities)
        search.maxTokens = 1
        var counts = [Int](repeating: 0, count: probabilities.count)
        for seed in 0..<draws {
            let tokens = search.samples(1, temperature: temperature, seeds: (UInt64(seed), 7)).hypotheses[0].tokens
            counts[tokens.first ?? probabilities.count - 1] += 1
        }
        return counts
    }

    /// p^(1/temperature), within four standard deviations of thousands of samples.
    @Test(arguments: [0.2, 0.5, 1.0, 2.0]) func samplesByTheTemperature(temperature: Double) {
        let probabilities: [Float] = [0.4, 0.3, 0, 0.2, 0.1]
        let weights = probabilities.map { $0 > 0 ? pow(Double($0), 1 / temperature) : 0 }
        let draws = isLong ? 20_000 : 2000
        let counts = Self.counts(probabilities, temperature: temperature, draws: draws)
        for (count, weight) in zip(counts, weights) {
            let expected = weight / weights.reduce(0, +)
            #expect(
                abs(Double(count) / Double(draws) - expected) <= 4
                    * (expected * (1 - expected) / Double(draws)).squareRoot())
        }
        #expect(counts[2] == 0)
    }

    @Test func theSameSeedsGiveTheSameTexts() {
        let search = Self.words([0.3, 0.3, 0.2, 0.1, 0.1])
        let texts = (0..<20).map { search.samples(3, temperature: 1, seeds: (UInt64($0), 3)).hypotheses }
        #expect(texts == (0..<20).map { search.samples(3, temperature: 1, seeds: (UInt64($0), 3)).hypotheses })
        #expect(Set(texts).count > 10)
        #expect(texts != (0..<20).map { search.samples(3, temperature: 1, seeds: (UInt64($0), 4)).hypotheses })
    }

    /// A sample does not depend on the number of other samples, or on when they end.
    @Test func samplesDoNotDependOnEachOther() {
        for seed in 0..<100 {
            let search = Self.words([0.3, 0.3, 0.2, 0.2])
            let five = search.samples(5, temperature: 1, seeds: (UInt64(seed), 1)).hypotheses
            for hypothesis in search.samples(2, temperature: 1, seeds: (UInt64(seed), 1)).hypotheses {
                #expect(five.contains(hypothesis))
            }
        }
    }

    /// Every row continues its own history, whichever rows have ended: the logits depend on it.
    @Test func everyRowKeepsItsHistory() {
        for seed in 0..<200 {
            let script = BeamSearchTests.random(UInt64(seed), vocabulary: 8, steps: nil, endBias: 1)
            var search = ScriptedSearch(vocabularySize: 8, endOfText: 7, script: script)
            search.forced = seed % 2 == 0 ? [] : [1, 2]
            let run = search.samples(5, temperature: 1, seeds: (UInt64(seed), 0))
            #expect(run.hypotheses.count == 5)
            for hypothesis in run.hypotheses {
                #expect(abs(hypothesis.logProbability - Self.score(hypothesis, search)) < 1e-4)
            }
            // The number of rows only decreases.
            let counts: [Int] = run.steps.map(\.count)
            #expect(counts == counts.sorted(by: >))
        }
    }

    /// A hypothesis's log probability according to its script.
    static func score(_ hypothesis: Hypothesis, _ search: ScriptedSearch) -> Float {
        var total: Float = 0
        let end = hypothesis.tokens.count < search.maxTokens ? [search.endOfText] : []
        let tokens = hypothesis.tokens + end
        for index in search.forced.count..<tokens.count {
            let logits = search.script(Array(tokens[..<index]))
            total += logits[tokens[index]] - logSumExp(logits)
        }
        return total
    }

    @Test func theMostProbableSampleIsFirst() {
        let search = Self.words([0.4, 0.3, 0.1, 0.2])
        for seed in 0..<20 {
            let scores = search.samples(5, temperature: 1, seeds: (UInt64(seed), 0)).hypotheses
                .map { $0.score(lengthPenalty: 1) }
            #expect(scores == scores.sorted(by: >))
        }
    }

    @Test func greedySearchTakesTheMostProbable() {
        let probabilities: [[Float]] = [[0.1, 0.5, 0.3, 0.1], [0.4, 0.1, 0.4, 0.1], [0.1, 0.1, 0.1, 0.7]]
        let search = ScriptedSearch(vocabularySize: 4, endOfText: 3) { probabilities[$0.count].map(logarithm) }
        let run = search.samples(1, temperature: 0)
        #expect(run.hypotheses.map(\.tokens) == [[1, 0]])
        #expect(abs(run.hypotheses[0].logProbability - logarithm(0.5 * 0.4 * 0.7)) < 1e-5)
        #expect(run.steps == [[[1]], [[1, 0]]])
    }

    @Test func theLimitCutsTheText() {
        var search = Self.words([0.5, 0.5, 0])
        search.maxTokens = 4
        let run = search.samples(3, temperature: 0.7)
        #expect(run.hypotheses.allSatisfy { $0.tokens.count == 4 })
        #expect(run.steps.count == 3)
    }

    /// So cold that the division underflows: the most probable token, without a trap.
    @Test(arguments: [1e-3, 1e-30, 1e-60, Double.leastNonzeroMagnitude]) func almostFrozen(temperature: Double) {
        #expect(Self.counts([0.3, 0.5, 0.2], temperature: temperature, draws: 20) == [0, 20, 0])
    }
}

struct RandomNumbersTests {

    @Test func streamsDiffer() {
        var streams: [[UInt64]: Int] = [:]
        for first in UInt64(0)..<20 {
            for second in UInt64(0)..<20 {
                var numbers = RandomNumbers(seeds: first, second)
                streams[[numbers.next(), numbers.next()], default: 0] += 1
            }
        }
        #expect(streams.count == 400)
        var one = RandomNumbers(seeds: 1, 2), two = RandomNumbers(seeds: 2, 1)
        #expect(one.next() != two.next())
    }

    @Test func bitsAreEvenlySet() {
        var numbers = RandomNumbers(seeds: 5)
        var counts = [Int](repeating: 0, count: 64)
        for _ in 0..<10_000 {
            let value = numbers.next()
            for bit in 0..<64 where value >> UInt64(bit) & 1 == 1 { counts[bit] += 1 }
        }
        #expect(counts.allSatisfy { (4800...5200).contains($0) })
    }
}

private func logSumExp(_ logits: [Float]) -> Float {
    let most = Double(logits.max() ?? 0)
    return Float(most + log(logits.reduce(0) { $0 + exp(Double($1) - most) }))
}
