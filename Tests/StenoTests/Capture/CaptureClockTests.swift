import Testing

@testable import Steno
@testable import StenoAudio

@Suite struct CaptureClockTests {
    /// The start times of buffers of 100 ms, from (run, rate, counter, host clock).
    private func startTimes(_ buffers: [(Int, Int, Int64?, Double?)]) -> [AudioTime?] {
        var clock = CaptureClock()
        return buffers.map { run, rate, sample, host in
            clock.startTime(of: .init(sampleTime: sample, hostSeconds: host), run: run, frames: rate / 10, rate: rate)
        }
    }

    @Test func theEnginesCounterIsExactAndStartsAnywhere() {
        // The host's clock runs 1 % fast, and a buffer is missing after the second.
        let times = startTimes([(1, 44_100, 7_000, 50), (1, 44_100, 11_410, 50.101), (1, 44_100, 20_230, 50.303)])
        #expect(times == [.zero, AudioTime(samples: 4_410, rate: 44_100), AudioTime(samples: 13_230, rate: 44_100)])
    }

    @Test func pausesFollowTheHostsClock() {
        let times = startTimes([
            (1, 48_000, 0, 50), (1, 48_000, 4_800, 50.1), (2, 16_000, 99, 52.7), (2, 16_000, 1_699, 52.8),
        ])
        #expect(abs((times[2]?.seconds ?? 0) - 2.7) < 1e-6)
        #expect(abs((times[3]?.seconds ?? 0) - 2.8) < 1e-6)
    }

    @Test func driftedClocksDoNotOverlap() {
        // After ten hours of audio the host's clock is a second behind; the pause is 1 s all the same.
        let times = startTimes([(1, 48_000, 0, 0), (1, 48_000, 36_000 * 48_000, 35_999), (2, 48_000, 0, 36_000.1)])
        #expect(abs((times[2]?.seconds ?? 0) - 36_001.1) < 1e-6)
    }

    @Test func missingTimesLeaveNoGap() {
        #expect(startTimes([(1, 48_000, nil, nil), (1, 48_000, nil, nil), (2, 44_100, nil, nil)]) == [nil, nil, nil])
        let times = startTimes([(1, 48_000, 5, nil), (2, 48_000, 900, nil), (3, 48_000, 0, 4)])
        #expect(times == [.zero, AudioTime(value: 1, timescale: 10), AudioTime(value: 2, timescale: 10)])
    }

    @Test func aClockThatRunsBackLeavesNoGap() {
        let times = startTimes([(1, 48_000, 0, 50), (2, 48_000, 0, 20)])
        #expect(times == [.zero, AudioTime(value: 1, timescale: 10)])
    }
}
