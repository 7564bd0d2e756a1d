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
    @Test func aPauseThatIsHeardAsSpeechIsSilence() {
        let found = speech([(100, -70, 0), (100, -30, 1), (40, -70, 1), (100, -30, 1), (100, -70, 0)])
        #expect(found == ["1: 96..<204", "1: 236..<344"])
    }

    @Test func aShortPauseIsNot() {
        #expect(speech([(100, -70, 0), (100, -30, 1), (20, -70, 1), (100, -30, 1)]) == ["1: 96..<320"])
    }

    @Test func speechIsExtendedToItsEnd() {
        let found = speech([(100, -70, 0), (10, -35, 0), (100, -30, 1), (10, -40, 0), (100, -70, 0)])
        #expect(found == ["1: 96..<224"])
    }

    /// What is loud far from speech is no speech.
    @Test func speechIsNotExtendedFarther() {
        let found = speech([(100, -70, 0), (100, -30, 1), (200, -30, 0), (100, -70, 0)])
        #expect(found == ["1: 96..<224"])
        #expect(speech([(100, -70, 0), (100, -20, 0), (100, -70, 0)]).isEmpty)
    }

    @Test func twoAtOnceStayTwo() {
        let found = speech([(100, -70, 0), (50, -30, 1), (50, -30, 2), (50, -70, 2), (50, -30, 1)])
        #expect(found == ["1: 96..<150", "2: 150..<204", "2: 246..<250", "1: 250..<300"])
    }

    /// In noise, speech may be within it: only what is not above the noise at all is a pause.
    @Test func noiseIsNoSpeech() {
        let found = speech([(200, -40, 0), (100, -28, 1), (40, -40, 1), (100, -28, 1), (40, -38, 0), (100, -40, 0)])
        #expect(found == ["1: 196..<304", "1: 336..<444"])
    }

    /// What is 43 dB below the loudest sample nearby is not heard beside it.
    @Test func whatIsFaintBesideSpeechIsNoSpeech() {
        let found = speech([(100, -90, 0), (100, -30, 1), (100, -65, 1), (100, -90, 0), (200, -65, 1), (100, -90, 0)])
        #expect(found == ["1: 96..<204", "1: 396..<604"], "alone, it is")
    }

    /// The noise is never taken to be as loud as the speech.
    @Test func audioWithoutAPauseIsSpeech() {
        #expect(speech([(500, -30, 1)]) == ["1: 0..<500"])
        #expect(speech([]).isEmpty)
        #expect(speech([(500, -30, 0)]).isEmpty)
    }
}
