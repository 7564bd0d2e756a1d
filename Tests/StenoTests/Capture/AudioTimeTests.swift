import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio

@Suite struct AudioTimeTests {
    @Test func equalMomentsAreEqualInAnyUnitsAndTheLargestCompareExactly() {
        let tenth = AudioTime(value: 4_410, timescale: 44_100)
        #expect(tenth == AudioTime(value: 1_600, timescale: 16_000))
        #expect(tenth.hashValue == AudioTime(value: 1_600, timescale: 16_000).hashValue)
        #expect(AudioTime(value: -3, timescale: 6).hashValue == AudioTime(value: -1, timescale: 2).hashValue)
        #expect(AudioTime(value: 0, timescale: 7) == .zero)
        #expect(AudioTime(value: 0, timescale: 7).hashValue == AudioTime.zero.hashValue)
        #expect(tenth < AudioTime(value: 1_601, timescale: 16_000) && tenth.seconds == 0.1)
        let large = AudioTime(value: .max, timescale: .max)
        #expect(AudioTime(value: .max - 1, timescale: .max) < large)
        #expect(AudioTime(value: .min, timescale: .max) < AudioTime(value: .max, timescale: .max - 1))
        #expect(large < AudioTime(value: .max, timescale: 1))
    }

    @Test func sumsOfUsualRatesAreExactAndOthersRoundedToNanoseconds() {
        var time = AudioTime.zero
        for rate in [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000, 192_000] as [Int32] {
            time = time + AudioTime(value: 1, timescale: rate)
        }
        for rate in [192_000, 8_000, 48_000, 11_025, 96_000, 22_050, 44_100, 16_000, 32_000] as [Int32] {
            time = time - AudioTime(value: 1, timescale: rate)
        }
        #expect(time == .zero)
        let sum = AudioTime(value: 1, timescale: 1_999_993) + AudioTime(value: 1, timescale: 1_999_979)
        #expect(sum.timescale == 1_000_000_000)
        #expect(abs(sum.seconds - 1 / 1_999_993.0 - 1 / 1_999_979.0) <= 1e-9)
    }

    @Test func overflowStaysAtTheLimit() {
        let large = AudioTime(value: .max, timescale: 1)
        #expect((large + large).value == .max)
        #expect((-large - large).value == .min)
        #expect((-AudioTime(value: .min, timescale: 1)).value == .max)
        #expect(large.converted(to: 2).value == .max && large.units(at: 16_000, rounding: .up).count == .max)
        #expect(AudioTime(value: .min, timescale: 1).units(at: 16_000, rounding: .up).count == .min)
    }

    @Test func secondsBecomeNanoseconds() {
        #expect(AudioTime(seconds: 1.5) == AudioTime(value: 3, timescale: 2))
        #expect(AudioTime(seconds: -0.25) == AudioTime(value: -1, timescale: 4))
        #expect(AudioTime(seconds: .nan) == .zero && AudioTime(seconds: .infinity) > AudioTime(seconds: 1e9))
        #expect(AudioTime(seconds: -1e300) < AudioTime(seconds: -1e9))
    }

    @Test func roundingReportsWhatItAdded() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<1000 {
            let timescale = Int32.random(in: 1...1000, using: &random)
            let value = Int64.random(in: -100_000...100_000, using: &random)
            let rate = Int32.random(in: 1...1000, using: &random)
            let time = AudioTime(value: value, timescale: timescale)
            for rounding in [AudioTime.Rounding.down, .nearest, .up] {
                let (count, added) = time.units(at: rate, rounding: rounding)
                // count − value · rate / timescale = added / timescale, in whole numbers.
                #expect(count * Int64(timescale) - value * Int64(rate) == added)
                switch rounding {
                case .down: #expect((-Int64(timescale) + 1...0).contains(added))
                case .nearest: #expect(abs(2 * added) <= timescale)
                case .up: #expect((0..<Int64(timescale)).contains(added))
                }
            }
        }
    }

    @Test func codingKeepsTheFraction() throws {
        let time = AudioTime(value: -441, timescale: 44_100)
        let copy = try JSONDecoder().decode(AudioTime.self, from: JSONEncoder().encode(time))
        #expect(copy.value == -441 && copy.timescale == 44_100)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(AudioTime.self, from: Data(#"{"value":1,"timescale":0}"#.utf8))
        }
    }
}

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

    @Test func missingTimesAndAClockThatRunsBackLeaveNoGap() {
        #expect(startTimes([(1, 48_000, nil, nil), (1, 48_000, nil, nil), (2, 44_100, nil, nil)]) == [nil, nil, nil])
        let times = startTimes([(1, 48_000, 5, nil), (2, 48_000, 900, nil), (3, 48_000, 0, 4)])
        #expect(times == [.zero, AudioTime(value: 1, timescale: 10), AudioTime(value: 2, timescale: 10)])
        let back = startTimes([(1, 48_000, 0, 50), (2, 48_000, 0, 20)])
        #expect(back == [.zero, AudioTime(value: 1, timescale: 10)])
    }
}
