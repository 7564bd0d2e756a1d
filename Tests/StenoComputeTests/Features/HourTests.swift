import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore

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
