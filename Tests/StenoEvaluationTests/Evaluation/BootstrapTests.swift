import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore
@testable import StenoEvaluation

@Suite struct BootstrapTests {
    private func file(_ errors: Int, _ words: Int) -> ErrorCounts {
        ErrorCounts(hits: words - errors, substitutions: errors)
    }

    /// With other random numbers, so only as equal as 10,000 draws are.
    @Test func theIntervalEqualsNumPys() throws {
        let goldens = try ErrorGoldens.load()
        let files = goldens.pairs.map { ErrorCounts($0.words) }
        let interval = try #require(Bootstrap().interval(files))
        #expect(abs(interval.low - goldens.total.wer_interval[0]) < 0.001)
        #expect(abs(interval.high - goldens.total.wer_interval[1]) < 0.001)
    }

    @Test func equalSeedsGiveEqualIntervals() throws {
        let files = (0..<40).map { file($0 % 5, 10 + $0) }
        #expect(Bootstrap().interval(files) == Bootstrap().interval(files))
        #expect(try Bootstrap().interval(files) != Bootstrap(seed: 2).interval(files))
        let equal = try Bootstrap(resamples: 100).interval([file(1, 10), file(1, 10)])
        #expect(equal == ConfidenceInterval(low: 0.1, high: 0.1), "equal files leave no uncertainty")
        // One file says nothing about others.
        for files in [[file(1, 10)], [], [ErrorCounts(insertions: 1), ErrorCounts()]] {
            #expect(Bootstrap().interval(files) == nil)
        }
    }

    /// Hard files are hard for both: pairs reveal a small difference that two separate intervals would hide.
    @Test func pairsAreDrawnTogether() throws {
        let before = (0..<50).map { file($0 % 2 == 0 ? 2 : 12, 20) }
        let after = before.map { file($0.errors - 1, 20) }
        let interval = try #require(try Bootstrap(resamples: 1000).interval(from: before, to: after))
        #expect(abs(interval.low + 0.05) < 1e-12 && abs(interval.high + 0.05) < 1e-12)
        let single = try #require(try Bootstrap(resamples: 1000).interval(before))
        #expect(single.high - single.low > 0.1)
    }

    @Test func impossibleOptionsAreErrors() throws {
        for resamples in [0, -1, Int.max] { expectError(.invalidOption) { try Bootstrap(resamples: resamples) } }
        for confidence in [-0.1, 1.1, 95, Double.nan] {
            expectError(.invalidOption) { try Bootstrap(confidence: confidence) }
        }
        #expect(throws: StenoError.self) { try Bootstrap().interval(from: [file(1, 10)], to: []) }
        // The lowest and the highest confidence are possible.
        let files = [file(1, 10), file(5, 10)]
        let point = try #require(try Bootstrap(confidence: 0).interval(files))
        #expect(point.low == point.high)
        #expect(try Bootstrap(confidence: 1).interval(files) == ConfidenceInterval(low: 0.1, high: 0.5))
        #expect(try Bootstrap(resamples: 1).interval(files) != nil)
    }
}

/// The errors of `Tools/goldens/make_wer_goldens.py`.
struct ErrorGoldens: Decodable {
    struct Pair: Decodable {
        let said: String
        let heard: String
        let words: [Int]
        let characters: [Int]
    }
    struct Total: Decodable {
        let wer: Double
        let cer: Double
        let wer_interval: [Double]
    }
    let total: Total
    let pairs: [Pair]

    static func load() throws -> ErrorGoldens {
        try JSONDecoder().decode(ErrorGoldens.self, from: Data(contentsOf: Fixtures.file("evaluation/errors.json")))
    }
}

extension ErrorCounts {
    /// Counts in the order of the goldens.
    init(_ numbers: [Int]) {
        self.init(hits: numbers[0], substitutions: numbers[1], deletions: numbers[2], insertions: numbers[3])
    }
}
