import StenoTestSupport
import Testing

@testable import StenoSpeakers

/// Levels in half decibels above −100 dB.
struct FrameLevelsTests {
    private func levels(_ samples: [Float], frames: Int, chunk: Int = 1000) -> FrameLevels {
        var levels = FrameLevels()
        for start in stride(from: 0, to: samples.count, by: chunk) {
            levels.append(samples[start..<min(start + chunk, samples.count)])
        }
        levels.finish(frames: frames)
        return levels
    }

    /// A frame's samples are those nearest to its centre, 495 + 270 k.
    @Test func aFrameIsFromHalfWayToHalfWay() {
        var samples = [Float](repeating: 0, count: 3000)
        samples.replaceSubrange(630..<900, with: [Float](repeating: 0.1, count: 270))
        let levels = levels(samples, frames: 4)
        #expect(levels.means[..<4] == [0, 160, 0, 0])
        #expect(levels.peaks[..<4] == [0, 160, 0, 0])
    }

    @Test func aPeakIsOneSample() {
        var samples = [Float](repeating: 0, count: 1170)
        samples[400] = -1
        let levels = levels(samples, frames: 3)
        #expect(levels.peaks == [200, 0, 0])
        #expect(levels.means == [151, 0, 0], "1/270 is −24.3 dB")
    }

    @Test func whatIsMissingIsSilence() {
        #expect(levels([], frames: 3).means == [0, 0, 0])
        let levels = levels([Float](repeating: 0.1, count: 360 + 270 + 135), frames: 4)
        #expect(levels.means == [160, 154, 0, 0])
    }

    @Test(arguments: [1, 269, 271, 5000]) func levelsDoNotDependOnTheChunks(chunk: Int) {
        var random = SplitMix64(seed: 4)
        let samples = (0..<4000).map { _ -> Float in .random(in: -1...1, using: &random) }
        #expect(levels(samples, frames: 13, chunk: chunk).means == levels(samples, frames: 13).means)
    }
}
