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

/// The frames of a window from which voices are computed.
struct LocalActivityTests {
    /// One bit for each local speaker.
    private func activity(_ speaking: [UInt8]) -> LocalActivity {
        LocalActivity(first: 0, likelihoods: [UInt8](repeating: 0, count: 3 * speaking.count), speaking: speaking)
    }

    private func places(_ frames: [Bool]) -> [Int] { frames.indices.filter { frames[$0] } }

    @Test func aloneIsWithoutTheOthers() {
        let activity = activity([1, 3, 1, 2, 0, 1, 4])
        #expect(places(activity.alone(0)) == [0, 2, 5])
        #expect(places(activity.alone(1)) == [3])
    }

    /// The edges of speech are the least certain.
    @Test func ofManyFramesTheMiddleOnesAreUsed() {
        let activity = activity([1, 1, 1, 2, 1, 1, 1, 1])
        #expect(places(activity.alone(0, most: 3)) == [2, 4, 5])
        #expect(places(activity.alone(0, most: 7)) == [0, 1, 2, 4, 5, 6, 7])
        #expect(places(activity.alone(0, most: 100)) == [0, 1, 2, 4, 5, 6, 7])
        #expect(places(activity.alone(2, most: 3)).isEmpty)
    }

    @Test func aMomentHasOneSpeakerInEachFrame() {
        let activity = activity([1, 1, 3, 2, 2, 0, 1, 1])
        #expect(activity.single(around: 3, reach: 2, least: 3).map(places) == [1, 3, 4])
        #expect(activity.single(around: 3, reach: 2, least: 4) == nil)
        #expect(activity.single(around: 7, reach: 2, least: 2).map(places) == [6, 7])
    }
}

/// Speech where the segmentation hears it, with ends by level.
struct SpeechEdgesTests {
    /// Stretches of a level in decibels, and whether the segmentation hears one speaker, two or none.
    private func speech(_ parts: [(frames: Int, level: Int, heard: UInt8)]) -> [String] {
        let levels = parts.flatMap { [UInt8](repeating: UInt8(2 * ($0.level + 100)), count: $0.frames) }
        let heard = parts.flatMap { [UInt8](repeating: $0.heard, count: $0.frames) }
        let edges = SpeechEdges(FrameLevels(means: levels, peaks: levels.map { $0 + 20 }), OverlapSettings())
        var runs: [(count: UInt8, range: Range<Int>)] = []
        for (frame, count) in edges.counts(heard).enumerated() {
            if let last = runs.last, last.count == count {
                runs[runs.count - 1].range = last.range.lowerBound..<frame + 1
            } else {
                runs.append((count, frame..<frame + 1))
            }
        }
        return runs.filter { $0.count > 0 }.map { "\($0.count): \($0.range)" }
    }

    /// The power is averaged over four frames on either side, so what is loud reaches as far.
    private static let cases: [(parts: [(frames: Int, level: Int, heard: UInt8)], found: [String])] = [
        // A pause that is heard as speech is silence, a short one is not.
        (
            [(100, -70, 0), (100, -30, 1), (40, -70, 1), (100, -30, 1), (100, -70, 0)], ["1: 96..<204", "1: 236..<344"]
        ), ([(100, -70, 0), (100, -30, 1), (20, -70, 1), (100, -30, 1)], ["1: 96..<320"]),
        // Speech is extended to its end; what is loud far from speech is no speech.
        ([(100, -70, 0), (10, -35, 0), (100, -30, 1), (10, -40, 0), (100, -70, 0)], ["1: 96..<224"]),
        ([(100, -70, 0), (100, -30, 1), (200, -30, 0), (100, -70, 0)], ["1: 96..<224"]),
        ([(100, -70, 0), (100, -20, 0), (100, -70, 0)], []),
        // Two at once stay two.
        (
            [(100, -70, 0), (50, -30, 1), (50, -30, 2), (50, -70, 2), (50, -30, 1)],
            ["1: 96..<150", "2: 150..<204", "2: 246..<250", "1: 250..<300"]
        ),
        // In noise, speech may be within it: only what is not above the noise at all is a pause.
        (
            [(200, -40, 0), (100, -28, 1), (40, -40, 1), (100, -28, 1), (40, -38, 0), (100, -40, 0)],
            ["1: 196..<304", "1: 336..<444"]
        ),
        // What is 43 dB below the loudest sample nearby is not heard beside it; alone, it is.
        (
            [(100, -90, 0), (100, -30, 1), (100, -65, 1), (100, -90, 0), (200, -65, 1), (100, -90, 0)],
            ["1: 96..<204", "1: 396..<604"]
        ),
        // The noise is never taken to be as loud as the speech: audio without a pause is speech.
        ([(500, -30, 1)], ["1: 0..<500"]), ([], []), ([(500, -30, 0)], []),
    ]

    @Test(arguments: cases.indices) func speechEndsByItsLevel(index: Int) {
        #expect(speech(Self.cases[index].parts) == Self.cases[index].found)
    }
}
