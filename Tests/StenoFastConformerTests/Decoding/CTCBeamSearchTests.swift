import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoCompute
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
        #expect(CTCBeamSearch(beamSize: 4, boost: nil).result.tokens.isEmpty)
    }

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

struct CTCHeadTests {
    /// The definition: the most likely class of each frame, without blanks and repetitions.
    private static func collapsed(_ logits: [[Float]], blank: Int) -> [FastConformerToken] {
        var tokens: [FastConformerToken] = [], previous = blank
        for (frame, row) in logits.enumerated() {
            let best = row.indices.max { row[$0] < row[$1] } ?? blank
            if best != blank, best == previous {
                tokens[tokens.count - 1].frames += 1
            } else if best != blank {
                let total = log(row.reduce(0) { $0 + exp(Double($1)) })
                tokens.append(
                    FastConformerToken(
                        id: best, frame: frame, frames: 1, logProbability: row[best] - Float(total)))
            }
            previous = best
        }
        return tokens
    }

    @Test(arguments: ["ctc", "ctc-wide"]) func equalsTransformers(name: String) throws {
        let tested = try GoldenModel(name)
        let golden = try #require(tested.golden.logits)
        let classes = golden.logits.shape[1], values = Array(tested.goldens.values(golden.logits))
        let logits = stride(from: 0, to: values.count, by: classes).map { Array(values[$0..<$0 + classes]) }
        let expected = Self.collapsed(logits, blank: classes - 1)
        let tokens = try tested.model.makeState().decode(features: tested.mel(golden.frames))
        #expect(expected.count > 5)
        #expect(tokens.plain == expected.plain)
        #expect(largestDistance(tokens.map(\.logProbability), expected.map(\.logProbability)) < 5e-5)
    }

    /// Equal classes in a row are one token, and a blank between them makes them two.
    @Test func aBlankSeparatesEqualTokens() throws {
        let tested = try GoldenModel("ctc")
        let head = try #require(tested.model.ctc)
        let (width, blank) = (tested.model.configuration.width, tested.model.configuration.blank)
        let weights = tested.golden.values(of: "ctc_head.weight")
        let classes = [3, 3, blank, 3, blank, blank, 7]
        // A frame like the weights of a class is of that class.
        var frames = classes.flatMap { label in weights[label * width..<(label + 1) * width].map { 100 * $0 } }
        let tokens = try frames.withUnsafeMutableBufferPointer { frames in
            try head.decode(
                Rows(try #require(frames.baseAddress), stride: width), count: classes.count,
                in: ComputeContext(pool: tested.model.pool), checkCancellation: {})
        }
        #expect(tokens.plain == [[3, 0, 2], [3, 3, 1], [7, 6, 1]])
        // Too little audio has no tokens.
        #expect(try GoldenModel("ctc").model.makeState().transcribe([Float](repeating: 0, count: 159)).isEmpty)
    }
}

struct PhraseBoostTests {
    private static let tokenizer = FastConformerTokenizer(
        pieces: ["\u{2581}", "\u{2581}k", "u", "ub", "b", "er", "\u{2581}kub", "e", "r", "<0x6B>", "s"].map {
            FastConformerTokenizer.Piece($0, isSpecial: false)
        })

    @Test func followsEverySpelling() throws {
        let boost = try #require(PhraseBoost(["kuber"], tokenizer: Self.tokenizer))
        #expect(boost.bonuses(after: []) == [0: 1, 1: 1, 6: 1])
        var progress = boost.progress([], after: 1)
        #expect(boost.bonuses(after: progress) == [0: 1, 1: 1, 6: 1, 2: 3, 3: 3])
        progress = boost.progress(progress, after: 3)
        #expect(boost.bonuses(after: progress) == [0: 1, 1: 1, 6: 1, 5: 5, 7: 5])
        // The phrase ends.
        #expect(boost.progress(progress, after: 5).isEmpty)
        // Another token ends it too.
        #expect(boost.progress(progress, after: 10).isEmpty)
    }

    @Test func wordsOfAPhraseAreSeparate() throws {
        let boost = try #require(PhraseBoost(["  ub\nk "], tokenizer: Self.tokenizer))
        let progress = boost.progress(boost.progress([], after: 0), after: 3)
        #expect(boost.bonuses(after: progress) == [0: 5, 1: 5])
        // Phrases without text are none.
        #expect(PhraseBoost([], tokenizer: Self.tokenizer) == nil)
        #expect(PhraseBoost(["", " \n"], tokenizer: Self.tokenizer) == nil)
    }

    /// The pull changes tokens, not their number or frames, unless they change what follows.
    @Test func decidesBetweenTokens() throws {
        let tested = try GoldenModel("tdt-biased")
        let state = try tested.model.makeState()
        let plain = try state.decode(features: tested.mel(320))
        state.setPhrases((0..<32).map(String.init))
        #expect(try state.decode(features: tested.mel(320)).first?.frame == plain.first?.frame)
        state.setPhrases([])
        #expect(try state.decode(features: tested.mel(320)) == plain)
    }
}
