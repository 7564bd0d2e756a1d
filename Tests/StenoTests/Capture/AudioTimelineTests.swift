import StenoTestSupport
import Testing

@testable import StenoAudio

/// Start times with gaps, overlaps and clocks that are set, and some that only look wrong.
@Suite struct AudioTimelineTests {
    private func buffer(
        _ frames: Int, rate: Int = 16_000, value: Float = 0.5, at time: (Int64, Int32)? = nil
    ) throws -> PCMBuffer {
        try PCMBuffer(
            [Float](repeating: value, count: frames), sampleRate: rate,
            startTime: time.map { AudioTime(value: $0.0, timescale: $0.1) })
    }

    @Test func aGapBecomesSilenceOfItsLength() throws {
        let output = try convert([
            try buffer(160, at: (1_000, 16_000)), try buffer(160, value: 0.25, at: (1_160 + 321, 16_000)),
        ])
        #expect(
            output.all == [Float](repeating: 0.5, count: 160) + [Float](repeating: 0, count: 321)
                + [Float](repeating: 0.25, count: 160))
        #expect(output.discontinuities == [AudioDiscontinuity(.filled, position: 160, length: 321)])
    }

    /// Between equal rates or two; a coarse time is believed.
    @Test(arguments: [(44_100, 44_100), (48_000, 48_000), (8_000, 8_000), (48_000, 44_100)], [1_000, 2] as [Int32])
    func aGapIsAsExactAtOtherRates(_ rates: (Int, Int), timescale: Int32) throws {
        // A quarter of a second of audio, of nothing, of audio.
        let output = try convert([
            try buffer(rates.0 / 4, rate: rates.0, at: (0, timescale)),
            try buffer(rates.1 / 4, rate: rates.1, at: (Int64(timescale) / 2, timescale)),
        ])
        try #require(output.all.count == 12_000)
        #expect(output.all[4_000..<8_000].allSatisfy { $0 == 0 })
        #expect(abs(output.all[3_900] - 0.5) < 1e-3 && abs(output.all[8_100] - 0.5) < 1e-3)
        #expect(output.discontinuities == [AudioDiscontinuity(.filled, position: 4_000, length: 4_000)])
    }

    /// Parts of a recording that start where they stand in it.
    private func parts(_ ranges: [Range<Int>], of sound: [Float], rate: Int) throws -> [PCMBuffer] {
        try ranges.map {
            let start = AudioTime(samples: $0.lowerBound, rate: rate)
            return try PCMBuffer(Array(sound[$0]), sampleRate: rate, startTime: start)
        }
    }

    @Test func audioDeliveredTwiceIsLeftOut() throws {
        let ramp = (0..<1_000).map { Float($0) / 1_000 }
        let ranges = [0..<400, 300..<600, 350..<500, 200..<900, 900..<1_000]
        let output = try convert(parts(ranges, of: ramp, rate: 16_000))
        #expect(output.all == ramp)
        #expect(
            output.discontinuities == [
                AudioDiscontinuity(.overlapped, position: 400, length: 100),
                AudioDiscontinuity(.overlapped, position: 600, length: 150),
                AudioDiscontinuity(.overlapped, position: 600, length: 400),
            ])
    }

    @Test func overlapsAtOtherRatesLeaveNoTrace() throws {
        let sound = noise(4_410, seed: 5)
        let overlapping = try parts([0..<2_000, 1_500..<3_000, 2_990..<4_410], of: sound, rate: 44_100)
        #expect(try convert(overlapping).all == convert([PCMBuffer(sound, sampleRate: 44_100)]).all)
    }

    @Test(arguments: [1_000, 1_000_000, 1_000_000_000, 90_000] as [Int32])
    func roundedTimesLeaveNoGaps(_ timescale: Int32) throws {
        // Blocks of 1,024 frames at 44.1 kHz: no start but the first is a whole number of these units.
        let blocks = isLong ? 50 : 12
        let sound = noise(1_024 * blocks, seed: 9)
        let start = AudioTime(value: 777, timescale: 1_000)
        let buffers = try (0..<blocks).map { block in
            let time = start + AudioTime(samples: block * 1_024, rate: 44_100)
            let rounded = time.units(at: timescale, rounding: block % 2 == 0 ? .down : .nearest).count
            return try PCMBuffer(
                Array(sound[block * 1_024..<(block + 1) * 1_024]), sampleRate: 44_100,
                startTime: AudioTime(value: rounded, timescale: timescale))
        }
        let output = try convert(buffers)
        #expect(output.discontinuities == [])
        #expect(try output.all == convert([PCMBuffer(sound, sampleRate: 44_100)]).all)
    }

    @Test func aWaveringClockIsToleratedWhereAllowed() throws {
        let times: [Int64] = [0, 103, 198, 301, 405]
        let buffers = try times.map { try buffer(1_600, at: ($0 * 1_000, 1_000_000)) }
        #expect(try convert(buffers).discontinuities.map(\.kind) == [.filled, .overlapped, .filled, .filled])
        let tolerant = try convert(buffers, with: AudioStreamConverter(tolerance: 0.01))
        #expect(tolerant.discontinuities == [] && tolerant.all.count == 8_000)
    }

    @Test func driftBeyondTheToleranceIsCorrected() throws {
        // A sound card that is slow by 1 %: after 30 blocks of 100 ms, 30 ms are missing.
        let buffers = try (0..<30).map { try buffer(1_584, at: (Int64($0) * 100, 1_000)) }
        let output = try convert(buffers, with: AudioStreamConverter(tolerance: 0.0105))
        #expect(output.discontinuities.map(\.length) == [176, 176] && output.all.count == 30 * 1_584 + 2 * 176)
    }

    @Test func aClockSetBackLosesNoAudio() throws {
        let converter = AudioStreamConverter(longestGap: 5)
        let output = try convert(
            [
                try buffer(1_600, at: (3_600, 1)), try buffer(1_600, value: 0.25, at: (0, 1)),
                try buffer(1_600, value: 0.125, at: (1, 10)), try buffer(1_600, value: 1, at: (3, 10)),
            ], with: converter)
        try #require(output.all.count == 8_000)
        #expect(output.all[2_000] == 0.25 && output.all[4_000] == 0.125 && output.all[7_000] == 1)
        #expect(output.discontinuities.map(\.kind) == [.clockReset, .filled])
    }

    @Test func absurdClocksAreHarmless() throws {
        let times: [(Int64, Int32)] = [(0, 1), (.max, 1), (.min, .max), (.max, .max), (1_789_000_000, 1), (.min, 1)]
        let output = try convert(try times.map { try buffer(160, rate: 48_000, at: $0) })
        #expect(output.all.count == 320 && output.discontinuities.allSatisfy { $0.kind == .clockReset })
    }

    /// Positions jump and no silence is made, however long the gap and whatever the rate.
    @Test(
        arguments: [16_000, 44_100, 48_000],
        isLong ? [60, 3_600, 86_400, 360 * 86_400] : [60, 360 * 86_400] as [Int64])
    func aLongGapTakesNoMemory(rate: Int, seconds: Int64) throws {
        let converter = AudioStreamConverter()
        let buffers = [
            try buffer(rate, rate: rate, at: (50, 1)), try buffer(rate, rate: rate, value: 0.25, at: (51 + seconds, 1)),
        ]
        let output = try convert(buffers, with: converter)
        #expect(output.all.count == 32_000)
        let length = Int(seconds) * 16_000
        #expect(output.discontinuities == [AudioDiscontinuity(.skipped, position: 16_000, length: length)])
        #expect(converter.position == 32_000 + length)
        #expect(abs((output.samples[length + 24_000] ?? 0) - 0.25) < 1e-3)
    }

    /// Options that would allow more than ten minutes are limited, and less than the default counts.
    @Test(arguments: [(.infinity, 601), (1e300, 601), (3_600, 601), (.nan, 601), (2, 3)] as [(Double, Int64)])
    func gapsBeyondTheLimitAreJumps(_ longestGap: Double, second: Int64) throws {
        let converter = AudioStreamConverter(longestGap: longestGap)
        let output = try convert([try buffer(160, at: (0, 1)), try buffer(160, at: (second, 1))], with: converter)
        #expect(output.all.count == 320 && output.discontinuities.map(\.kind) == [.skipped])
    }

    /// A clock is set forward by more than a year, or back: the audio continues where it was.
    @Test(arguments: [366 * 86_400, 50 * 365 * 86_400, -31, -86_400, -366 * 86_400] as [Int64])
    func settingTheClockMovesNothing(by seconds: Int64) throws {
        let start: Int64 = 1_790_000_000
        let output = try convert([
            try buffer(16_000, at: (start, 1)), try buffer(16_000, value: 0.25, at: (start + 1 + seconds, 1)),
            try buffer(16_000, value: 0.125, at: (start + 2 + seconds, 1)),
        ])
        #expect(output.all.count == 48_000 && output.samples[20_000] == 0.25 && output.samples[40_000] == 0.125)
        let length = abs(Int(seconds)) * 16_000
        #expect(output.discontinuities == [AudioDiscontinuity(.clockReset, position: 16_000, length: length)])
    }

    @Test func theFirstTimeDefinesPositionZero() throws {
        let converter = AudioStreamConverter()
        _ = try converter.push(buffer(16_000))
        #expect(converter.startTime == nil)
        _ = try converter.push(buffer(16_000, at: (5, 1)))
        #expect(converter.startTime == AudioTime(value: 4, timescale: 1) && converter.position == 32_000)
    }
}
