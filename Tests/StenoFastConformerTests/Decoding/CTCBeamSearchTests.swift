import Foundation
import StenoTestSupport
import Testing

@testable import StenoFastConformer

struct CTCBeamSearchTests {
    private static let classes = 4

    /// Log probabilities of some frames; blank is the last class.
    private static func rows(_ count: Int, _ random: inout SplitMix64) -> [[Float]] {
        (0..<count).map { _ in
            let values = random.uniform(count: classes, centre: 0, span: 2)
            let total = Float(log(values.reduce(0) { $0 + exp(Double($1)) }))
            return values.map { $0 - total }
        }
    }

    /// The definition: the probability of a token sequence is the sum over all sequences of classes that collapse to it.
    private static func probabilities(_ rows: [[Float]]) -> [[Int]: Double] {
        var sums: [[Int]: Double] = [:]
        let paths = Int(pow(Double(classes), Double(rows.count)))
        for path in 0..<paths {
            var rest = path, previous = classes - 1, tokens: [Int] = [], score = 0.0
            for row in rows {
                let label = rest % classes
                rest /= classes
                score += Double(row[label])
                if label != classes - 1, label != previous { tokens.append(label) }
                previous = label
            }
            sums[tokens, default: 0] += exp(score)
        }
        return sums
    }

    @Test(arguments: 1...6) func aWideBeamIsExact(frames: Int) throws {
        var random = SplitMix64(seed: UInt64(frames))
        for _ in 0..<6 {
            let rows = Self.rows(frames, &random)
            var search = CTCBeamSearch(beamSize: 5_000, boost: nil)
            for row in rows { search.append(row) }
            let best = try #require(Self.probabilities(rows).max { $0.value < $1.value })
            #expect(search.result.tokens.map(\.id) == best.key)
            #expect(abs(search.result.score - log(best.value)) < 1e-5)
        }
    }

    /// No path to "a" is the likeliest, but together they are.
    @Test func addsThePathsOfATokenSequence() {
        let row = [0.4, 1e-6, 1e-6, 0.6].map { Float(log($0)) }
        var search = CTCBeamSearch(beamSize: 2, boost: nil)
        for _ in 0..<2 { search.append(row) }
        #expect(search.result.tokens.map(\.id) == [0])
        #expect(abs(exp(search.result.score) - 0.64) < 1e-4)
    }

    /// Frame and length of the likeliest path.
    @Test func tokensHaveTheTimesOfTheLikeliestPath() {
        let sequence = [3, 0, 0, 3, 0, 1, 3]
        var search = CTCBeamSearch(beamSize: 3, boost: nil)
        for best in sequence { search.append((0..<4).map { Float(log($0 == best ? 0.97 : 0.01)) }) }
        #expect(search.result.tokens.plain == [[0, 1, 2], [0, 4, 1], [1, 5, 1]])
        #expect(search.result.tokens.allSatisfy { abs($0.logProbability - Float(log(0.97))) < 1e-6 })
    }

    @Test func nothingHeardIsNothing() {
        #expect(CTCBeamSearch(beamSize: 4, boost: nil).result.tokens.isEmpty)
    }

    // MARK: Phrases

    /// Pieces " ", " k", "u".
    private static let tokenizer = FastConformerTokenizer(
        pieces: ["\u{2581}", "\u{2581}k", "u"].map { FastConformerTokenizer.Piece($0, isSpecial: false) })

    @Test func phrasesDecideBetweenTokens() throws {
        let boost = try #require(PhraseBoost(["ku"], tokenizer: Self.tokenizer))
        func result(_ second: [Double], _ boost: PhraseBoost?) -> [Int] {
            var search = CTCBeamSearch(beamSize: 4, boost: boost)
            for row in [[0.01, 0.9, 0.01, 0.08], second] { search.append(row.map { Float(log($0)) }) }
            return search.result.tokens.map(\.id)
        }
        #expect(result([0.6, 0.01, 0.3, 0.09], nil) == [1, 0])
        #expect(result([0.6, 0.01, 0.3, 0.09], boost) == [1, 2])
        // A frame in which the model hears no token stays without one.
        #expect(result([0.001, 0.001, 0.001, 0.997], boost) == [1])
    }

    @Test(arguments: ["ctc", "ctc-wide"]) func aModelFindsAtLeastItsGreedyTokens(name: String) throws {
        let tested = try GoldenModel(name)
        let state = try tested.model.makeState()
        let greedy = try state.decode(features: tested.mel(200))
        state.beamSize = 6
        let tokens = try state.decode(features: tested.mel(200))
        #expect(!tokens.isEmpty)
        #expect(tokens.map(\.frame) == tokens.map(\.frame).sorted())
        state.beamSize = 1
        #expect(try state.decode(features: tested.mel(200)) == greedy)
    }
}
