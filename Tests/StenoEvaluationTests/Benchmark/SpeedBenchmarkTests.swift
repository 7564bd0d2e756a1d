import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoEvaluation
@_spi(Benchmarks) @testable import StenoEvaluation

@Suite struct SpeedBenchmarkTests {
    private let clock = ManualClock()

    @Test func measurementsHaveAMedianAndASpread() {
        for (values, median) in [([3, 1, 2], 2), ([4, 1, 2, 100], 3), ([7], 7)] as [([Double], Double)] {
            let measurements = Measurements(values)
            #expect(measurements.median == median)
            #expect(measurements.least == values.min() && measurements.most == values.max())
        }
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
        // Cancelling ends the rounds.
        var cancelled = SpeedReport.empty()
        var turns = 0
        let rounds = BenchmarkRounds(runs: 3, isCancelled: { turns == 2 }, progress: { _ in })
        #expect(throws: CancellationError.self) {
            try rounds.go("window", &cancelled) {
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
        func start(_ said: [String]) -> ProcessStart? {
            var lines = said.makeIterator()
            return ProcessStart(start: .zero, clock.stopwatch) { lines.next() }
        }
        let known = start(["loaded", "peak 210.5"])
        #expect(known?.figures.keys.contains(.coldStart) == false && known?.peakMegabytes == 210.5)
        for incomplete in [
            [], ["loaded"], ["loaded", "first token"], ["loaded", "first token", "peak ?"], ["a", "b", "c"],
        ] {
            #expect(start(incomplete) == nil, "\(incomplete)")
        }
    }

    #if os(Linux)
        @Test func thePeakIsReadFromTheStatus() {
            #expect(PeakMemory.kilobytes(in: "Name:\tsteno\nVmPeak:\t  99 kB\nVmHWM:\t   1234 kB\n") == 1234)
            #expect(PeakMemory.kilobytes(in: "Name:\tsteno\n") == nil)
        }
    #endif
}

@Suite struct SpeedReportTests {
    private var report: SpeedReport {
        var report = SpeedReport.empty()
        for encode in [204.4, 190, 201.0004] { report.add([.encode: encode, .greedyToken: encode / 100]) }
        for milliseconds in [500.0, 400, 600] { report.add([.audio: milliseconds]) }
        (report.audioName, report.audioSeconds) = ("talk.wav", 10)
        return report
    }

    @Test func theJSONIsFlat() throws {
        let object = try #require(JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        for (key, value) in [
            ("encode_ms", 201), ("encode_ms_min", 190), ("encode_ms_max", 204.4), ("greedy_token_ms", 2.01),
            ("threads", 2), ("real_time_factor", 0.05),
        ] {
            #expect(object[key] as? Double == value, "\(key)")
        }
        #expect(object["precision"] as? String == "int8" && object["isa"] as? String == "avx2")
        #expect(object["cold_start_ms"] == nil)
        #expect(object.values.allSatisfy { $0 is NSNumber || $0 is String })
    }

    @Test func theTableHasMediansAndSpread() {
        #expect(
            report.table == """
                base, int8, 2 threads, avx2; medians of 3 runs

                encoder, 30 s           201 ms  (190–204)
                greedy, per token      2.01 ms  (1.90–2.04)
                talk.wav, 10.0 s        500 ms  (400–600)  20.0 times as fast as speech

                """)
        // One run has no spread.
        var one = SpeedReport.empty(runs: 1)
        one.add([.peakMemory: 99.96])
        #expect(one.table == "base, int8, 2 threads, avx2; one run\n\npeak memory, one window     100.0 MB\n")
    }
}

final class ManualClock: Sendable {
    private let time = Monitor(Duration.zero)

    var stopwatch: Stopwatch { Stopwatch { self.time.read { $0 } } }

    func advance(milliseconds: Double) { time.update { $0 += .microseconds(Int64(milliseconds * 1000)) } }
}

/// A window whose stages take scripted times.
final class ScriptedWindow: StagedWindow {
    let clock: ManualClock
    /// The calls in order; equal consecutive calls count as one.
    private(set) var calls: [String] = []
    private var beams = 0

    init(_ clock: ManualClock) { self.clock = clock }

    func computeFeatures() { advanceClock("features", 12) }
    func encode() { advanceClock("encode", 200) }
    func fillCrossAttentionCache() { advanceClock("cross", 30) }

    func start(beams: Int) {
        self.beams = beams
        advanceClock("start \(beams)", 5 * Double(beams))
    }

    func step() { advanceClock("step \(beams)", 2 * Double(beams)) }

    private func advanceClock(_ call: String, _ milliseconds: Double) {
        if calls.last != call { calls.append(call) }
        clock.advance(milliseconds: milliseconds)
    }
}

extension SpeedReport {
    static func empty(runs: Int = 3) -> SpeedReport {
        SpeedReport(model: "base", precision: .int8, threads: 2, instructionSet: "avx2", runs: runs, tokens: 64)
    }
}
