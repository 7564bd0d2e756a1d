import Foundation
import Steno
import StenoSpeech
import StenoTestSupport
import Testing

struct AVAudioBufferTests {
    @Test func formatsAreComparedByValue() throws {
        let mono = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true)
        let planar = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: false)
        let float = AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1)
        #expect(mono == planar && mono != float && float?.isStandard == true)
        #expect(AVAudioFormat(standardFormatWithSampleRate: 0, channels: 1) == nil)
        #expect(AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 0) == nil)
        // A buffer has no samples of other types than its data can show.
        let double = AVAudioFormat(commonFormat: .pcmFormatFloat64, sampleRate: 16_000, channels: 1, interleaved: true)
        #expect(double.flatMap { AVAudioPCMBuffer(pcmFormat: $0, frameCapacity: 1) } == nil)
    }

    @Test func channelsAreInterleavedOrPlanar() throws {
        for interleaved in [true, false] {
            let format = try #require(
                AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 8_000, channels: 2, interleaved: interleaved))
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4))
            let channels = try #require(buffer.int16ChannelData)
            #expect(buffer.stride == (interleaved ? 2 : 1) && channels[1] - channels[0] == (interleaved ? 1 : 4))
            #expect(buffer.frameLength == 0 && buffer.floatChannelData == nil && buffer.int32ChannelData == nil)
            buffer.frameLength = 9
            #expect(buffer.frameLength == 4)
        }
    }
}

struct AVAudioFileTests {
    private let sample = Fixtures.bundledSample("en-quick_brown_fox.wav")

    @Test func aFileHasTheEnginesSamples() throws {
        let file = try AVAudioFile(forReading: sample)
        let whole = try AudioFile.open(sample).allSamples()
        #expect(file.length == whole.count && file.processingFormat.sampleRate == 16_000)
        #expect(file.processingFormat.isStandard && file.fileFormat.commonFormat == .pcmFormatInt16)
        var read: [Float] = []
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 1_000))
        repeat {
            try file.read(into: buffer)
            read += UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: Int(buffer.frameLength))
        } while buffer.frameLength > 0
        #expect(read == whole && file.framePosition == file.length)
        // From any position.
        for position in [5_000, 200, 20_000] {
            file.framePosition = AVAudioFramePosition(position)
            try file.read(into: buffer)
            let samples = Array(UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: 1_000))
            #expect(samples == Array(whole[position..<position + 1_000]))
        }
        // As many as were asked for.
        file.framePosition = 0
        for (asked, read) in [(30, 30), (0, 0), (2_000, 1_000)] as [(AVAudioFrameCount, AVAudioFrameCount)] {
            try file.read(into: buffer, frameCount: asked)
            #expect(buffer.frameLength == read)
        }
        #expect(file.framePosition == 1_030)
        // A missing file is refused.
        let missing = URL(fileURLWithPath: "/no/such/file.wav")
        let error = #expect(throws: SFSpeechError.self) { try AVAudioFile(forReading: missing) }
        #expect(error?.code == .audioReadFailed)
    }
}

struct CMTimeTests {
    @Test func timesOfTheSameMomentAreEqual() {
        #expect(CMTime(value: 441, timescale: 44_100) == CMTime(value: 10, timescale: 1_000))
        #expect(Set([CMTime(value: 1, timescale: 2), CMTime(value: 2, timescale: 4)]).count == 1)
        #expect(CMTime(value: 1, timescale: 3) < CMTime(value: 334, timescale: 1_000))
        let (short, long) = (CMTime(value: 1, timescale: 2), CMTime(value: 2, timescale: 3))
        #expect(CMTimeAdd(short, long) == short + long && CMTimeSubtract(short, long) == short - long)
        #expect(CMTimeCompare(short, long) == -1 && CMTimeCompare(long, short) == 1)
        #expect(CMTimeCompare(short, CMTime(value: 2, timescale: 4)) == 0)
        // Seconds are rounded to the timescale.
        let time = CMTime(seconds: 0.1, preferredTimescale: 16_000)
        #expect(time.value == 1_600 && time.timescale == 16_000 && !time.hasBeenRounded)
        #expect(CMTimeMakeWithSeconds(1.0 / 7, preferredTimescale: 600).hasBeenRounded)
        #expect(CMTimeGetSeconds(CMTimeMake(value: 3, timescale: 2)) == 1.5)
        #expect("\(CMTime(value: 441, timescale: 44_100))" == "{441/44100 = 0.01}")
        for value in [Int64.max, .min] { #expect("\(CMTime(value: value, timescale: 1))".hasPrefix("{\(value)/1 = ")) }
    }

    @Test func sumsOfSampleRatesAreExact() {
        var sum = CMTime.zero
        for _ in 0..<48_000 { sum = sum + CMTime(value: 1, timescale: 44_100) }
        for _ in 0..<44_100 { sum = sum + CMTime(value: 1, timescale: 48_000) }
        let expected = CMTime(value: 48_000, timescale: 44_100) + CMTime(value: 44_100, timescale: 48_000)
        #expect(sum == expected && !sum.hasBeenRounded && sum - expected == .zero)
        // A sum without a common timescale is marked as rounded.
        let odd = CMTime(value: 1, timescale: 2_147_483_647), other = CMTime(value: 1, timescale: 2_147_483_629)
        let rounded = odd + other
        #expect(rounded.hasBeenRounded && abs(rounded.seconds - odd.seconds - other.seconds) < 1e-9)
    }

    @Test func differencesUndoSums() {
        var random = SplitMix64(seed: 17)
        func time() -> CMTime {
            let scales: [Int32] = [1, 600, 8_000, 16_000, 22_050, 44_100, 48_000, 90_000]
            return CMTime(
                value: .random(in: -1_000_000_000...1_000_000_000, using: &random),
                timescale: scales.randomElement(using: &random) ?? 1)
        }
        for _ in 0..<1_000 {
            let (left, right) = (time(), time())
            #expect((left + right) - right == left)
            #expect((left < right) == (left.seconds < right.seconds) || left == right)
        }
    }

    @Test func specialValuesPropagate() {
        let second = CMTime(value: 1, timescale: 1)
        #expect(!CMTime(value: 1, timescale: 0).isValid)
        #expect(!CMTime(seconds: .nan, preferredTimescale: 600).isValid)
        #expect(CMTime(seconds: 1e30, preferredTimescale: 600).isPositiveInfinity)
        #expect((CMTime.positiveInfinity + second).isPositiveInfinity)
        #expect((second - .positiveInfinity).isNegativeInfinity)
        #expect(!(CMTime.positiveInfinity + .negativeInfinity).isValid)
        #expect((CMTime.indefinite + second).isIndefinite)
        #expect(!(CMTime.invalid + second).isValid)
        #expect(CMTime.negativeInfinity < second && second < .positiveInfinity && .positiveInfinity < CMTime.indefinite)
        #expect(CMTime(value: .max, timescale: 1) + second == .positiveInfinity)
        #expect(CMTime.positiveInfinity.seconds == .infinity && CMTime.invalid.seconds.isNaN)
        // Only finite times are numeric.
        #expect(CMTime.zero.isNumeric && CMTime(value: -1, timescale: 600).isNumeric)
        let others: [CMTime] = [
            .invalid, .indefinite, .positiveInfinity, .negativeInfinity, CMTime(value: 1, timescale: 0),
        ]
        #expect(others.allSatisfy { !$0.isNumeric })
    }
}

struct CMTimeRangeTests {
    private func range(_ start: Int64, _ end: Int64) -> CMTimeRange {
        CMTimeRange(start: CMTime(value: start, timescale: 10), end: CMTime(value: end, timescale: 10))
    }

    @Test func aRangeEndsBeforeItsEnd() {
        let second = range(10, 20)
        #expect(second.containsTime(CMTime(value: 1, timescale: 1)) && !second.containsTime(second.end))
        #expect(second.duration == CMTime(value: 1, timescale: 1) && second.containsTimeRange(range(12, 20)))
        #expect(!second.containsTimeRange(range(9, 12)))
        #expect(CMTimeRangeMake(start: second.start, duration: CMTime(value: 1, timescale: 1)) == second)
        // Ranges meet and join.
        #expect(range(10, 20).intersection(range(15, 30)) == range(15, 20))
        #expect(range(10, 20).intersection(range(20, 30)).isEmpty)
        #expect(range(10, 20).union(range(25, 30)) == range(10, 30))
        #expect(!CMTimeRange.invalid.isValid && !range(20, 10).isValid)
        #expect(CMTimeRange.invalid.union(range(1, 2)) == range(1, 2))
    }
}
