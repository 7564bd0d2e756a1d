import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore
@testable import StenoEvaluation

@Suite struct BootstrapTests {
    private struct Goldens: Decodable {
        struct Pair: Decodable { let words: [Int] }
        struct Total: Decodable { let wer_interval: [Double] }
        let total: Total
        let pairs: [Pair]
    }

    private func file(_ errors: Int, _ words: Int) -> ErrorCounts {
        ErrorCounts(hits: words - errors, substitutions: errors)
    }

    /// With other random numbers, so only as equal as 10,000 draws are.
    @Test func theIntervalEqualsNumPys() throws {
        let goldens = try JSONDecoder().decode(
            Goldens.self, from: Data(contentsOf: Fixtures.file("evaluation/errors.json")))
        let files = goldens.pairs.map {
            ErrorCounts(hits: $0.words[0], substitutions: $0.words[1], deletions: $0.words[2], insertions: $0.words[3])
        }
        let interval = try #require(Bootstrap().interval(files))
        #expect(abs(interval.low - goldens.total.wer_interval[0]) < 0.001)
        #expect(abs(interval.high - goldens.total.wer_interval[1]) < 0.001)
    }

    @Test func equalSeedsGiveEqualIntervals() throws {
        let files = (0..<40).map { file($0 % 5, 10 + $0) }
        #expect(Bootstrap().interval(files) == Bootstrap().interval(files))
        #expect(try Bootstrap().interval(files) != Bootstrap(seed: 2).interval(files))
    }

    @Test func equalFilesLeaveNoUncertainty() throws {
        let interval = try Bootstrap(resamples: 100).interval([file(1, 10), file(1, 10)])
        #expect(interval == ConfidenceInterval(low: 0.1, high: 0.1))
    }

    @Test func oneFileSaysNothingAboutOthers() {
        #expect(Bootstrap().interval([file(1, 10)]) == nil)
        #expect(Bootstrap().interval([]) == nil)
        #expect(Bootstrap().interval([ErrorCounts(insertions: 1), ErrorCounts()]) == nil)
    }

    /// Hard files are hard for both: pairs reveal a small difference that two separate intervals would hide.
    @Test func pairsAreDrawnTogether() throws {
        let before = (0..<50).map { file($0 % 2 == 0 ? 2 : 12, 20) }
        let after = before.map { file($0.errors - 1, 20) }
        let interval = try #require(try Bootstrap(resamples: 1000).interval(from: before, to: after))
        #expect(abs(interval.low + 0.05) < 1e-12)
        #expect(abs(interval.high + 0.05) < 1e-12)
        let single = try #require(try Bootstrap(resamples: 1000).interval(before))
        #expect(single.high - single.low > 0.1)
    }

    @Test func impossibleOptionsAreErrors() {
        for resamples in [0, -1, Int.max] {
            expectError(.invalidOption) { try Bootstrap(resamples: resamples) }
        }
        for confidence in [-0.1, 1.1, 95, Double.nan] {
            expectError(.invalidOption) { try Bootstrap(confidence: confidence) }
        }
        #expect(throws: StenoError.self) { try Bootstrap().interval(from: [file(1, 10)], to: []) }
    }

    @Test func theLowestAndHighestConfidence() throws {
        let files = [file(1, 10), file(5, 10)]
        let point = try #require(try Bootstrap(confidence: 0).interval(files))
        #expect(point.low == point.high)
        #expect(try Bootstrap(confidence: 1).interval(files) == ConfidenceInterval(low: 0.1, high: 0.5))
        #expect(try Bootstrap(resamples: 1).interval(files) != nil)
    }
}
