import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio

@Suite struct AudioStreamConverterTests {
    @Test(arguments: [8_000, 16_000, 22_050, 44_100, 48_000]) func aStreamIsConvertedAsAFileIs(_ rate: Int) throws {
        let frames = noise(6_000, seed: 7)
        let samples = frames.map { Double($0) }
        let file = try WAVBuilder(PCMFormat(.float32, sampleRate: rate, channels: 2), samples: samples).bytes
        let buffer = try PCMBuffer(frames, sampleRate: rate, channels: 2)
        #expect(try convert(try buffer.cut { 100 }).all == (try readFile(file)))
    }

    @Test func chunkSizesDoNotMatter() throws {
        for seed in 0..<25 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let sound = try randomAudio(&random)
            let whole = try convert(sound)
            let pieces = try sound.flatMap { try $0.cut { Int.random(in: 1...400, using: &random) } }
            #expect(try convert(pieces) == whole, "seed \(seed)")
        }
    }

    /// Runs at several rates and channel counts, some with gaps before them.
    private func randomAudio(_ random: inout SplitMix64) throws -> [PCMBuffer] {
        let hasTimes = Bool.random(using: &random)
        var time = AudioTime(value: Int64.random(in: -5...5, using: &random), timescale: 3)
        return try (0..<4).map { _ in
            let rate = [8_000, 16_000, 22_050, 44_100, 48_000].randomElement(using: &random) ?? 16_000
            let channels = Int.random(in: 1...3, using: &random)
            let frames = Int.random(in: 1...1_500, using: &random)
            if hasTimes, Bool.random(using: &random) {
                time = time + AudioTime(value: Int64.random(in: 1...500, using: &random), timescale: 48_000)
            }
            let samples = noise(frames * channels, seed: random.next())
            defer { time = time + AudioTime(samples: frames, rate: rate) }
            return try PCMBuffer(samples, sampleRate: rate, channels: channels, startTime: hasTimes ? time : nil)
        }
    }

    @Test func positionsStayExactAfterManyChangesOfRate() throws {
        // Pieces of odd lengths: rounded to whole samples each time, they would be off by hundreds of samples.
        let converter = AudioStreamConverter()
        var random = SplitMix64(seed: 3)
        var (time, expected, count) = (AudioTime.zero, 0.0, 0)
        for turn in 0..<1_500 {
            let rate = [11_025, 44_100, 48_000, 16_000][turn % 4]
            let frames = Int.random(in: 1...9, using: &random)
            time = time + AudioTime(samples: frames, rate: rate)
            expected += Double(frames) / Double(rate)
            for chunk in try converter.push(PCMBuffer([Float](repeating: 0.1, count: frames), sampleRate: rate)) {
                #expect(chunk.position == count)
                count = chunk.end
            }
        }
        count = converter.finish().last?.end ?? count
        #expect(count == time.samplePosition)
        #expect(abs(Double(count) - expected * 16_000) <= 1)
        #expect(converter.position == count)
    }

    @Test(arguments: [(44_100, 48_000), (48_000, 44_100), (48_000, 16_000), (16_000, 44_100), (8_000, 48_000)])
    func aToneContinuesAcrossAChangeOfRate(_ rates: (Int, Int)) throws {
        // 100.3 ms, which is a whole number of frames at no rate but 16 kHz and 48 kHz.
        let first = rates.0 * 1_003 / 10_000
        let joint = Double(first) / Double(rates.0)
        let output = try convert([
            try PCMBuffer(tone(300, rate: rates.0, frames: first), sampleRate: rates.0),
            try PCMBuffer(tone(300, rate: rates.1, frames: rates.1 / 10, from: joint), sampleRate: rates.1),
        ]).all
        let ideal = tone(300, rate: 16_000, frames: output.count)
        let errors = zip(output, ideal).map { abs($0 - $1) }
        let place = Int(joint * 16_000)
        try #require(errors.count >= place + 1_000)
        // A filter that saw silence beyond the joint would be wrong by 0.25 there.
        #expect((errors[place - 100..<place + 100].max() ?? 1) < 0.05)
        // Rates that 16 kHz divides have no filter for a part of a frame, and are moved by less than one.
        let moved = rates.1 % 16_000 == 0 ? 0.5 * 2 * .pi * 300 / Double(rates.1) : 0
        #expect(Double(errors[place + 200..<place + 1_000].max() ?? 1) < moved + 1e-3)
    }

    @Test func noTailIsLostAndAudioAfterTheEndIsRefused() throws {
        for rate in [8_000, 16_000, 44_100] {
            for frames in [1, 2, 3, 100] {
                let output = try convert([try PCMBuffer([Float](repeating: 0.5, count: frames), sampleRate: rate)])
                #expect(output.all.count == (frames * 16_000 + rate - 1) / rate)
            }
        }
        #expect(try convert([]).all == [])
        #expect(try convert([try PCMBuffer([] as [Float], sampleRate: 16_000)]).all == [])
        let converter = AudioStreamConverter()
        _ = converter.finish()
        let buffer = try PCMBuffer([0.5] as [Float], sampleRate: 16_000)
        expectError(.invalidOption) { try converter.push(buffer) }
        #expect(converter.finish() == [])
    }

    @Test func certainSamplesComeAtOnce() throws {
        let converter = AudioStreamConverter()
        let direct = try converter.push(PCMBuffer([Float](repeating: 0.5, count: 160), sampleRate: 16_000))
        #expect(direct.map(\.samples.count) == [160])
        let resampled = AudioStreamConverter()
        let chunks = try resampled.push(PCMBuffer([Float](repeating: 0.5, count: 4_410), sampleRate: 44_100))
        // The filter looks ahead by less than 4 ms.
        let count: Int = chunks.map(\.samples.count).reduce(0, +)
        #expect(count > 1_600 - 64)
    }

    @Test func hoursDoNotShiftASample() throws {
        // Six hours into a stream of start times in frames at 44.1 kHz an impulse stands where it should.
        let hours = 6 * 3_600
        let start = AudioTime(samples: hours * 44_100, rate: 44_100)
        var samples = [Float](repeating: 0, count: 44_100)
        samples[22_050] = 1
        let converter = AudioStreamConverter(longestGap: 1)
        var output = Converted()
        output.add(try converter.push(PCMBuffer([0.5] as [Float], sampleRate: 44_100, startTime: .zero)))
        output.add(try converter.push(PCMBuffer(samples, sampleRate: 44_100, startTime: start)))
        output.add(converter.finish())
        let peak = output.samples.filter { $0.key > 1 }.max { $0.value < $1.value }
        #expect(peak?.key == hours * 16_000 + 8_000)
        #expect(output.discontinuities.map(\.kind) == [.skipped])
    }
}

@Suite struct PCMBufferTests {
    @Test func everySampleTypeGivesTheSameAudio() throws {
        let float = try PCMBuffer([0.5, -1, 0.25] as [Float], sampleRate: 16_000)
        #expect(float.mono == [0.5, -1, 0.25])
        #expect(try PCMBuffer([16_384, -32_768, 8_192] as [Int16], sampleRate: 16_000).mono == float.mono)
        let wide: [Int32] = [1 << 30, .min, 1 << 29]
        #expect(try PCMBuffer(wide, sampleRate: 16_000).mono == float.mono)
        for encoding in PCMFormat.Encoding.allCases {
            let bytes = [0.5, -0.5, -1, 0].flatMap { WAVBuilder.encode($0, encoding) }
            let buffer = try PCMBuffer(bytes: bytes, format: PCMFormat(encoding, sampleRate: 8_000, channels: 2))
            #expect(buffer.mono == [0, -0.5])
        }
    }

    @Test func channelsAreAveraged() throws {
        let buffer = try PCMBuffer([1, 0, -0.5, -1] as [Float], sampleRate: 48_000, channels: 2)
        #expect(buffer.frameCount == 2 && buffer.mono == [0.5, -0.75])
        #expect(buffer.duration == AudioTime(value: 2, timescale: 48_000))
        let planar = try PCMBuffer(planar: [[1, -0.5], [0, -1]] as [[Float]], sampleRate: 48_000)
        #expect(planar == buffer)
    }

    @Test func samplesOutOfRangeAreClippedAndInvalidAudioIsRefused() throws {
        let samples: [Float] = [2, -2, .nan, .infinity, -.infinity]
        #expect(try PCMBuffer(samples, sampleRate: 16_000).mono == [1, -1, 0, 0, 0])
        #expect(try PCMBuffer(planar: [samples, samples], sampleRate: 16_000).mono == [1, -1, 0, 0, 0])
        let format = try PCMFormat(.int16, sampleRate: 16_000, channels: 2)
        let refused: [() throws -> Any] = [
            { try PCMBuffer([0, 0, 0] as [Float], sampleRate: 16_000, channels: 2) },
            { try PCMBuffer([0] as [Float], sampleRate: 0) },
            { try PCMBuffer([0] as [Float], sampleRate: 1_000_000) },
            { try PCMBuffer([0] as [Int16], sampleRate: 16_000, channels: 0) },
            { try PCMBuffer(planar: [] as [[Int16]], sampleRate: 16_000) },
            { try PCMBuffer(planar: [[0, 0], [0]] as [[Int16]], sampleRate: 16_000) },
            { try PCMBuffer(bytes: [1, 2, 3, 4, 5], format: format) },
        ]
        for make in refused { #expect(try stenoError(make).code == .invalidOption) }
        #expect(try PCMBuffer([] as [Float], sampleRate: 16_000).mono == [])
    }
}

struct Converted: Equatable {
    /// By position; skipped positions are missing.
    var samples: [Int: Float] = [:]
    var discontinuities: [AudioDiscontinuity] = []
    var all: [Float] = []

    mutating func add(_ chunks: [AudioChunk]) {
        for chunk in chunks {
            for (offset, sample) in chunk.samples.enumerated() { samples[chunk.position + offset] = sample }
            all += chunk.samples
            discontinuities += chunk.discontinuities
        }
    }
}

func convert(_ buffers: [PCMBuffer], with converter: AudioStreamConverter = .init()) throws -> Converted {
    var converted = Converted()
    for buffer in buffers { converted.add(try converter.push(buffer)) }
    converted.add(converter.finish())
    return converted
}

/// A tone, computed at the times of its samples.
func tone(_ frequency: Double, rate: Int, frames: Int, from start: Double = 0, amplitude: Double = 0.5) -> [Float] {
    (0..<frames).map { Float(amplitude * sin(2 * .pi * frequency * (start + Double($0) / Double(rate)))) }
}

/// Noise from −0.5 to 0.5.
func noise(_ count: Int, seed: UInt64) -> [Float] {
    var random = SplitMix64(seed: seed)
    return random.uniform(count: count, centre: 0, span: 0.5)
}

extension PCMBuffer {
    /// The same audio in pieces; start times are advanced.
    func cut(_ sizes: () -> Int) throws -> [PCMBuffer] {
        guard case .float32(let samples) = samples else { return [self] }
        var pieces: [PCMBuffer] = []
        var frame = 0
        while frame < frameCount {
            let end = min(frameCount, frame + max(1, sizes()))
            pieces.append(
                try PCMBuffer(
                    Array(samples[frame * channels..<end * channels]), sampleRate: sampleRate, channels: channels,
                    startTime: startTime.map { $0 + AudioTime(samples: frame, rate: sampleRate) }))
            frame = end
        }
        return pieces
    }
}
