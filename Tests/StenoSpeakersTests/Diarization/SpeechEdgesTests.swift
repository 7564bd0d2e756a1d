import Testing

@testable import StenoSpeakers

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
