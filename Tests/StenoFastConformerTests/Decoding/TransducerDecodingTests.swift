import Foundation
import StenoCompute
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

struct TransducerDecodingTests {
    @Test(arguments: ["rnnt", "tdt", "tdt-biased"]) func equalsTransformers(name: String) throws {
        let tested = try GoldenModel(name)
        let state = try tested.model.makeState()
        // transformers has no limit for TDT.
        state.limitsSymbols = false
        let golden = try #require(tested.golden.tokens)
        let tokens = try state.decode(features: tested.mel(golden.frames ?? 0))
        #expect(tokens.plain == golden.tokens)
        #expect(tokens.allSatisfy { $0.logProbability < 0 && $0.logProbability > -20 })
        for golden in tested.golden.audio ?? [] {
            #expect(try state.transcribe(tested.audio(golden.samples ?? 0)).plain == golden.tokens)
        }
    }

    /// Frames in blocks of any length: state and skipped frames are carried over.
    @Test(arguments: ["rnnt", "tdt", "tdt-biased"]) func blocksDoNotChangeTheTokens(name: String) throws {
        let tested = try GoldenModel(name)
        let head = try #require(tested.model.transducer)
        var frames = try tested.encode(tested.mel(320), layers: 2)
        let width = tested.model.configuration.width, count = frames.count / width
        var random = SplitMix64(seed: 3)
        let decoding = try TransducerDecoding(head, context: ComputeContext(pool: tested.model.pool))
        func decode(longest: Int) throws -> [FastConformerToken] {
            try decoding.begin(prompt: 0)
            return try frames.withUnsafeMutableBufferPointer { frames in
                let rows = Rows(try #require(frames.baseAddress), stride: width)
                var tokens: [FastConformerToken] = [], start = 0
                while start < count {
                    let length = min(Int.random(in: 1...longest, using: &random), count - start)
                    tokens += try decoding.decode(rows.from(start), count: length, checkCancellation: {})
                    start += length
                }
                return tokens
            }
        }
        let whole = try decode(longest: 1_000_000)
        #expect(whole.count > 5)
        for longest in [1, 2, 5, 17] { #expect(try decode(longest: longest) == whole) }
    }

    /// A token that the joint network always prefers, and its duration.
    private static func always(_ token: Int, duration: Int) -> (inout FastConformerGoldens.Model) -> Void {
        { model in
            var bias = [Float](repeating: 0, count: 38)
            bias[token] = 1_000
            bias[33 + duration] = 1_000
            model.tensors["joint.head.bias"] = FastConformerGoldens.Tensor(shape: [38], values: bias)
        }
    }

    @Test(
        arguments: [
            // A frame has at most ten tokens, and durations skip frames.
            (7, 0, 24, (0..<30).map { [7, $0 / 10, 0] }), (7, 4, 80, [[7, 0, 4], [7, 4, 4], [7, 8, 4]]),
            // Blank moves on even if its duration is 0.
            (32, 0, 80, []),
        ] as [(Int, Int, Int, [[Int]])])
    func durations(token: Int, duration: Int, rows: Int, expected: [[Int]]) throws {
        let tested = try GoldenModel("tdt", change: Self.always(token, duration: duration))
        let tokens = try tested.model.makeState().decode(features: tested.mel(rows))
        #expect(tokens.plain == expected)
        #expect(duration == 0 || tokens.allSatisfy { $0.logProbability == 0 })
    }
}

struct TransducerBeamSearchTests {
    /// Random networks whose output depends on the frame and on all tokens before.
    private struct Table: TransducerNetworks {
        let seed: UInt64
        let tokens: Int
        let durations: Int

        func start() -> [Int] { [] }

        func read(_ token: Int, after state: [Int]) -> [Int] { state + [token] }

        func scores(frame: Int, of states: [[Int]]) -> [(tokens: [Float], durations: [Float])] {
            states.map { state in
                let mixed = state.reduce(seed &* 1_000 &+ UInt64(frame)) { $0 &* 31 &+ UInt64($1) &+ 7 }
                var random = SplitMix64(seed: mixed)
                return (row(tokens + 1, &random), durations == 0 ? [] : row(durations, &random))
            }
        }

        private func row(_ count: Int, _ random: inout SplitMix64) -> [Float] {
            let values = random.uniform(count: count, centre: 0, span: 2)
            let total = Float(log(values.reduce(0) { $0 + exp(Double($1)) }))
            return values.map { $0 - total }
        }
    }

    /// The definition: the probability of a token sequence is the sum over all its alignments.
    private static func probabilities(
        _ table: Table, frames: Int, durations: [Int], maximumSymbols: Int, boost: PhraseBoost? = nil
    ) -> [[Int]: Double] {
        var sums: [[Int]: Double] = [:]
        func go(_ frame: Int, _ symbols: Int, _ tokens: [Int], _ probability: Double) {
            guard frame < frames else {
                sums[tokens, default: 0] += probability
                return
            }
            let row = table.scores(frame: frame, of: [tokens])[0]
            var chances = row.tokens.map { exp(Double($0)) }
            if let boost {
                let progress = tokens.reduce(into: Set<PhraseBoost.Progress>()) { $0 = boost.progress($0, after: $1) }
                let pulled = chances.indices.dropLast().map {
                    chances[$0] * exp(Double(boost.bonuses(after: progress)[$0] ?? 0))
                }
                let (mass, sum) = (1 - chances[table.tokens], pulled.reduce(0, +))
                for token in 0..<table.tokens { chances[token] = pulled[token] * mass / sum }
            }
            for token in 0...table.tokens {
                for (index, duration) in (durations.isEmpty ? [nil] : durations.map { $0 }).enumerated() {
                    let chance = duration == nil ? chances[token] : chances[token] * exp(Double(row.durations[index]))
                    let next = token == table.tokens ? tokens : tokens + [token]
                    if token != table.tokens, duration ?? 0 == 0, symbols + 1 < maximumSymbols {
                        go(frame, symbols + 1, next, probability * chance)
                    } else {
                        go(frame + max(duration ?? 1, 1), 0, next, probability * chance)
                    }
                }
            }
        }
        go(0, 0, [], 1)
        return sums
    }

    private static func search(
        _ table: Table, beamSize: Int = 100_000, margin: Double = .infinity, durations: [Int], maximumSymbols: Int,
        boost: PhraseBoost? = nil
    ) -> TransducerBeamSearch<Table> {
        TransducerBeamSearch(
            networks: table, beamSize: beamSize, margin: margin, durations: durations, maximumSymbols: maximumSymbols,
            boost: boost)
    }

    /// Expects that a wide beam finds the most probable tokens, which are returned.
    private static func expectBest(
        _ table: Table, frames: Int, durations: [Int], boost: PhraseBoost? = nil
    ) throws -> [Int] {
        let all = probabilities(table, frames: frames, durations: durations, maximumSymbols: 2, boost: boost)
        #expect(abs(all.values.reduce(0, +) - 1) < 1e-5)
        let best = try #require(all.max { $0.value < $1.value })
        let result = try search(table, durations: durations, maximumSymbols: 2, boost: boost)
            .run(frames: frames, checkCancellation: {})
        #expect(result.tokens.map(\.id) == best.key)
        #expect(abs(result.score - log(best.value)) < 1e-5)
        return best.key
    }

    @Test(arguments: [[], [0, 1, 2], [1, 3]], [1, 2, 3]) func aWideBeamIsExact(durations: [Int], frames: Int) throws {
        for seed in 0..<8 {
            let table = Table(seed: UInt64(seed), tokens: 2, durations: durations.count)
            _ = try Self.expectBest(table, frames: frames, durations: durations)
        }
    }

    /// Pieces " ", " k", "u".
    private static let tokenizer = FastConformerTokenizer(
        pieces: ["\u{2581}", "\u{2581}k", "u"].map { FastConformerTokenizer.Piece($0, isSpecial: false) })

    @Test(arguments: [[], [0, 1, 2]]) func phrasesMoveProbabilityBetweenTokens(durations: [Int]) throws {
        let boost = try #require(PhraseBoost(["ku"], tokenizer: Self.tokenizer))
        var changed = 0
        for seed in 0..<16 {
            let table = Table(seed: UInt64(seed), tokens: 3, durations: durations.count)
            let best = try Self.expectBest(table, frames: 2, durations: durations, boost: boost)
            let plain = Self.search(table, durations: durations, maximumSymbols: 2)
            if try plain.run(frames: 2, checkCancellation: {}).tokens.map(\.id) != best { changed += 1 }
        }
        #expect(changed > 0)
    }

    /// More hypotheses, and a wider margin, find likelier tokens on average.
    @Test func aWiderBeamFindsLikelierTokens() throws {
        func mean(_ beamSize: Int, _ margin: Double) throws -> Double {
            try (0..<20).reduce(0) { sum, seed in
                let table = Table(seed: UInt64(seed), tokens: 3, durations: 3)
                let search = Self.search(
                    table, beamSize: beamSize, margin: margin, durations: [0, 1, 2], maximumSymbols: 3)
                return sum + (try search.run(frames: 8, checkCancellation: {}).score) / 20
            }
        }
        let (one, four, wide) = (try mean(1, 2.3), try mean(4, 2.3), try mean(64, .infinity))
        #expect(one < four && four < wide)
        // No frames have no tokens.
        let table = Table(seed: 1, tokens: 2, durations: 0)
        let result = try Self.search(table, durations: [], maximumSymbols: 2).run(frames: 0, checkCancellation: {})
        #expect(result.tokens.isEmpty && result.score == 0)
    }

    @Test(arguments: ["rnnt", "tdt", "tdt-biased"]) func aModelSearchesAndThenIsGreedyAgain(name: String) throws {
        let tested = try GoldenModel(name)
        let state = try tested.model.makeState()
        let greedy = try state.decode(features: tested.mel(320))
        state.beamSize = 4
        let tokens = try state.decode(features: tested.mel(320))
        #expect(!tokens.isEmpty)
        #expect(tokens.map(\.frame) == tokens.map(\.frame).sorted())
        #expect(tokens.allSatisfy { (0..<32).contains($0.id) && $0.logProbability <= 0 })
        #expect(try state.decode(features: tested.mel(320)) == tokens)
        state.beamSize = 1
        #expect(try state.decode(features: tested.mel(320)) == greedy)
    }

    @Test func aSearchCanBeCancelled() throws {
        let state = try GoldenModel("tdt").model.makeState()
        state.beamSize = 4
        state.isCancelled = Questions(yesFrom: 5).ask
        expectError(.cancelled) { try state.transcribe(GoldenModel("tdt").audio(30_000)) }
    }
}
