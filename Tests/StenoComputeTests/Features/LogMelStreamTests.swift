import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore

struct LogMelStreamTests {
    static let filterbank = MelFilterbank(count: 80)

    static func window(
        _ stream: LogMelStream, at frame: Int, frames: Int, limit: Int = .max, includingTail: Bool = false
    ) throws -> (rows: [Float], count: Int) {
        var rows = [Float](repeating: .nan, count: frames * stream.melCount)
        let count = try rows.withUnsafeMutableBufferPointer {
            try stream.window(at: frame, limit: limit, includingTail: includingTail, into: $0)
        }
        return (rows, count)
    }

    /// All content, in windows that advance by `step`.
    static func content(_ stream: LogMelStream, step: Int) throws -> [Float] {
        var (features, frame): ([Float], Int) = ([], 0)
        while try stream.hasContent(at: frame) {
            let (rows, count) = try window(stream, at: frame, frames: step)
            features += rows.prefix(count * stream.melCount)
            frame += count
            stream.discard(before: frame)
        }
        return features
    }

    @Test(arguments: [0, 1, 40, 41, 100, 159, 160, 199, 200, 201, 399, 400, 480_000, 480_001])
    func edgesEqualFasterWhisper(count: Int) throws {
        let goldens = try MelGoldens.shared.get()
        let golden = try #require(goldens.features(of: "edge-\(count)", by: "faster-whisper", mels: 80))
        let samples = try TestAudio.named("edge-\(count)")
        for source in [ArraySampleSource(samples), TestSources.Pipe(samples)] as [any SampleSource] {
            let stream = try LogMelStream(source, filterbank: Self.filterbank)
            let (rows, tailed) = try Self.window(stream, at: 0, frames: 3010, includingTail: true)
            #expect(tailed == golden.total)
            #expect(stream.contentFrames == golden.total - 1)
            #expect(LogMelTests.error(rows, golden, goldens) < 1e-4)
            #expect(try Self.window(stream, at: 0, frames: 3010).count == golden.total - 1)
        }
    }

    @Test func equalsTheFeaturesOfTheWholeRecording() throws {
        let samples = TestAudio.loop(seed: 7, count: 16000 * 75 + 77, gain: 0.2)
        let whole = LogMel.compute(samples, filterbank: Self.filterbank)
        for step in [999, 1000, 3000] {
            let stream = try LogMelStream(ArraySampleSource(samples), filterbank: Self.filterbank)
            #expect(stream.maximumIsExact)
            #expect(stream.contentFrames == 7500)
            #expect(try Self.content(stream, step: step) == whole)
            #expect(stream.isExhausted)
        }
        // A minute is read once.
        for (seconds, expected) in [(59, 1), (61, 2)] {
            let source = TestSources.Counting(seconds: seconds)
            let stream = try LogMelStream(source, filterbank: Self.filterbank)
            #expect(try Self.content(stream, step: 3000).count == seconds * 100 * 80)
            #expect(source.passes == expected)
        }
    }

    @Test func theMaximumOfTheWholeRecordingAppliesFromTheFirstWindow() throws {
        let quiet = TestAudio.loop(seed: 8, count: 16000 * 40, gain: 1e-5)
        let samples = quiet + TestAudio.loop(seed: 9, count: 16000, gain: 0.5)
        let exact = try LogMelStream(ArraySampleSource(samples), filterbank: Self.filterbank)
        let running = try LogMelStream(ArraySampleSource(samples), filterbank: Self.filterbank, maximum: .running)
        #expect(exact.maximumIsExact && !running.maximumIsExact)
        #expect(running.contentFrames == nil)
        let whole = LogMel.compute(samples, filterbank: Self.filterbank)
        let first = try Self.window(exact, at: 0, frames: 3000).rows
        #expect(first == Array(whole.prefix(3000 * 80)))
        #expect(Set(first).count == 1, "clamped: too quiet beside the last second")
        #expect(Set(try Self.window(running, at: 0, frames: 3000).rows).count > 1000)
        #expect(
            try Self.window(running, at: 3000, frames: 3000).rows == Self.window(exact, at: 3000, frames: 3000).rows)
    }

    @Test func aPipeIsReadNoFurtherThanTheWindow() throws {
        let source = TestSources.Pipe([Float](repeating: 0.1, count: 16000 * 60))
        let stream = try LogMelStream(source, filterbank: Self.filterbank)
        #expect(!stream.maximumIsExact)
        #expect(source.reads == 0)
        #expect(try Self.window(stream, at: 0, frames: 100).count == 100)
        #expect(source.reads < 20)
        #expect(!stream.isExhausted && stream.contentFrames == nil)
    }

    @Test func windowsArePaddedWithZeros() throws {
        let samples = TestAudio.loop(seed: 10, count: 16000, gain: 0.2)
        let stream = try LogMelStream(ArraySampleSource(samples), filterbank: Self.filterbank)
        let whole = LogMel.compute(samples, filterbank: Self.filterbank)
        let end = try Self.window(stream, at: 90, frames: 30)
        #expect(end.count == 10)
        #expect(end.rows == Array(whole.suffix(10 * 80)) + [Float](repeating: 0, count: 20 * 80))
        let limited = try Self.window(stream, at: 20, frames: 30, limit: 5)
        #expect(limited.count == 5)
        #expect(limited.rows == Array(whole[(20 * 80)..<(25 * 80)]) + [Float](repeating: 0, count: 25 * 80))
        let beyond = try Self.window(stream, at: 500, frames: 2)
        #expect(beyond.count == 0 && beyond.rows.allSatisfy { $0 == 0 })
    }

    @Test func aWindowFarAheadSkipsDiscardedFrames() throws {
        let samples = TestAudio.loop(seed: 12, count: 16000 * 80, gain: 0.2)
        let whole = LogMel.compute(samples, filterbank: Self.filterbank)
        let stream = try LogMelStream(ArraySampleSource(samples), filterbank: Self.filterbank)
        stream.discard(before: 7000)
        let (rows, count) = try Self.window(stream, at: 7100, frames: 100)
        #expect(count == 100 && rows == Array(whole[(7100 * 80)..<(7200 * 80)]))
        #expect(try Self.window(stream, at: 7000, frames: 1).rows == Array(whole[(7000 * 80)..<(7001 * 80)]))
    }

    /// Whether frames are silent is still known when those before them have been dropped.
    @Test func silenceIsThatOfTheFramesAfterSomeWereDropped() throws {
        let samples = [Float](repeating: 0, count: 16000 * 20) + TestAudio.noise(seed: 13, count: 16000 * 20, gain: 0.2)
        let stream = try LogMelStream(ArraySampleSource(samples), filterbank: Self.filterbank, maximum: .running)
        #expect(try stream.isSilent(0..<1900))
        stream.discard(before: 1900)
        #expect(try stream.isSilent(1900..<1990))
        #expect(try !stream.isSilent(2010..<2100))
        stream.discard(before: 2100)
        #expect(try !stream.isSilent(2100..<3900))
    }

    @Test func cancellationStopsBothPasses() throws {
        let samples = [Float](repeating: 0.1, count: 16000 * 70)
        for allowed in [0, 3, 8] {
            var blocks = 0
            #expect(throws: CancellationError.self) {
                let stream = try LogMelStream(ArraySampleSource(samples), filterbank: Self.filterbank) {
                    if blocks == allowed { throw CancellationError() }
                    blocks += 1
                }
                _ = try Self.window(stream, at: 0, frames: 3000)
            }
            #expect(blocks == allowed)
        }
    }

    @Test func audioThatChangesBetweenThePassesIsAnError() throws {
        let stream = try LogMelStream(TestSources.shrinking(), filterbank: Self.filterbank)
        expectError(.audioUnreadable) { try Self.content(stream, step: 3000) }
        // Errors of the source are passed on.
        final class Broken: SampleSource {
            func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
                throw StenoError(.audioUnreadable, "broken")
            }
            func rewind() -> Bool { true }
        }
        #expect(throws: StenoError.self) { try LogMelStream(Broken(), filterbank: Self.filterbank) }
    }
}

struct HourTests {
    @Test(.enabled(if: isLong, "an hour of audio takes half a minute: set STENO_LONG"))
    func anHourInTwoPassesEqualsOpenAIInFlatMemory() throws {
        let goldens = try MelGoldens.shared.get()
        let golden = try #require(goldens.features(of: "hour", by: "openai-whisper", mels: 80))
        let stream = try LogMelStream(HourSource(), filterbank: MelFilterbank(count: 80))
        #expect(stream.contentFrames == golden.total)

        var window = [Float](repeating: 0, count: 3000 * 80)
        var picked: [Float] = []
        for seek in stride(from: 0, to: golden.total, by: 3000) {
            stream.discard(before: seek)
            let count = try window.withUnsafeMutableBufferPointer { try stream.window(at: seek, into: $0) }
            for frame in golden.frames where (seek..<(seek + count)).contains(frame) {
                picked += window[((frame - seek) * 80)..<((frame - seek + 1) * 80)]
            }
        }
        let expected = goldens.rows(golden)
        let error = largestDistance(picked, expected)
        print("log-mel of an hour, 80 mels, against openai-whisper: \(error)")
        #expect(error < 1e-4)
        // The buffer rather than the process, because other tests run in the same process.
        #expect(stream.bufferedFrames <= 2 * LogMelStream.keptFrames)
    }
}
