import Foundation
import Testing

@testable import StenoEvaluation
@_spi(Benchmarks) @testable import StenoEvaluation

@Suite struct SpeedBenchmarkTests {
    private let clock = ManualClock()

    private static let medians: [(values: [Double], median: Double)] = [
        ([3, 1, 2], 2), ([4, 1, 2, 100], 3), ([7], 7),
    ]

    @Test(arguments: medians) func medianOfValues(values: [Double], median: Double) {
        let measurements = Measurements(values)
        #expect(measurements.median == median)
        #expect(measurements.least == values.min())
        #expect(measurements.most == values.max())
    }

    @Test func withoutMeasurementsTheMedianIsNaN() {
        #expect(Measurements().median.isNaN && Measurements().least.isNaN && Measurements().most.isNaN)
    }

    @Test func eachStageHasItsFigureAndStepsArePerToken() throws {
        let window = ScriptedWindow(clock)
        let figures = try WindowBenchmark(tokens: 10, stopwatch: clock.stopwatch).round(window)
        #expect(
            figures == [
                .logMel: 12, .encode: 200, .crossAttentionCache: 30, .prompt: 5, .greedyToken: 2, .beamStep: 10,
            ])
        #expect(window.calls == ["features", "encode", "cross", "start 1", "step 1", "start 5", "step 5"])
    }

    @Test func theFirstRoundDoesNotCount() throws {
        var report = SpeedReport.empty()
        var reported: [String] = []
        var turn = 0.0
        try BenchmarkRounds(runs: 3, isCancelled: { false }, progress: { reported.append($0) }).go("window", &report) {
            turn += 1
            return [.encode: turn]
        }
        #expect(report.figures == [.encode: Measurements([2, 3, 4])])
        #expect(reported == ["window: warming up", "window: 1 of 3", "window: 2 of 3", "window: 3 of 3"])
    }

    @Test func cancellingEndsTheRounds() {
        var report = SpeedReport.empty()
        var turns = 0
        let rounds = BenchmarkRounds(runs: 3, isCancelled: { turns == 2 }, progress: { _ in })
        #expect(throws: CancellationError.self) {
            try rounds.go("window", &report) {
                turns += 1
                return [:]
            }
        }
        #expect(turns == 2)
    }

    @Test func aProcessIsTimedFromItsStart() throws {
        let script = [("loaded", 80.0), ("first token", 120), ("peak 210.5", 1000)]
        var lines = script.makeIterator()
        let started = clock.stopwatch.now()
        let start = ProcessStart(start: started, clock.stopwatch) {
            guard let (line, milliseconds) = lines.next() else { return nil }
            clock.advance(milliseconds: milliseconds)
            return line
        }
        #expect(start?.figures == [.load: 80, .coldStart: 200, .peakMemory: 210.5])
    }

    @Test func theFirstTokenMayBeUnknown() {
        var lines = ["loaded", "peak 210.5"].makeIterator()
        let start = ProcessStart(start: .zero, clock.stopwatch) { lines.next() }
        #expect(start?.figures.keys.contains(.coldStart) == false && start?.peakMegabytes == 210.5)
    }

    @Test(arguments: [
        [], ["loaded"], ["loaded", "first token"], ["loaded", "first token", "peak ?"], ["a", "b", "c"],
    ])
    func incompleteProcessOutputGivesNothing(said: [String]) {
        var lines = said.makeIterator()
        #expect(ProcessStart(start: .zero, clock.stopwatch) { lines.next() } == nil)
    }

    #if os(Linux)
        @Test func thePeakIsReadFromTheStatus() {
            #expect(PeakMemory.kilobytes(in: "Name:\tsteno\nVmPeak:\t  99 kB\nVmHWM:\t   1234 kB\n") == 1234)
            #expect(PeakMemory.kilobytes(in: "Name:\tsteno\n") == nil)
        }
    #endif
}
