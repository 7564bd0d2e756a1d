import StenoCore
import StenoTestSupport
import Testing

@testable import StenoSpeakers
@testable import StenoVoiceActivity

/// Turns from audio in which voices are levels.
struct SpeakerDiarizerTests {
    /// Speech of some voices, in windows of the detector, with silence between.
    private func recording(_ parts: [(voice: Float, windows: Int)]) -> (samples: [Float], probabilities: [Float]) {
        (
            parts.flatMap { [Float](repeating: $0.voice, count: $0.windows * VoiceActivity.windowLength) },
            parts.flatMap { [Float](repeating: $0.voice == 0 ? 0 : 1, count: $0.windows) }
        )
    }

    private func diarize(
        _ parts: [(voice: Float, windows: Int)], counts: ClosedRange<Int>? = nil, chunk: Int = 1000
    ) -> Diarization {
        let (samples, probabilities) = recording(parts)
        let diarizer = SpeakerDiarizer(encoder: VoiceByLevel(), detector: ScriptedDetector(probabilities))
        samples.withUnsafeBufferPointer { samples in
            for start in stride(from: 0, to: samples.count, by: chunk) {
                diarizer.append(UnsafeBufferPointer(rebasing: samples[start..<min(start + chunk, samples.count)]))
            }
        }
        return diarizer.finish(counts: counts)
    }

    private let talk: [(voice: Float, windows: Int)] = [
        (0, 30), (0.5, 200), (0, 20), (0.25, 150), (0, 40), (0.5, 120), (0.25, 180), (0, 30),
    ]

    @Test func turnsFollowTheVoices() {
        let found = diarize(talk)
        #expect(found.voices.count == 2)
        #expect(found.turns.map(\.voice) == [0, 1, 0, 1])
        let starts = [30, 250, 440, 560], ends = [230, 400, 560, 740]
        for (turn, (start, end)) in zip(found.turns, zip(starts, ends)) {
            let times = (
                turn.range.lowerBound / VoiceActivity.windowLength, turn.range.upperBound / VoiceActivity.windowLength
            )
            #expect(abs(times.0 - start) <= 13 && abs(times.1 - end) <= 13, "\(times), not \((start, end))")
        }
        #expect(found.turns().map(\.speaker) == ["Speaker 1", "Speaker 2", "Speaker 1", "Speaker 2"])
        #expect(found.turns(names: [1: "Ada"]).map(\.speaker) == ["Speaker 1", "Ada", "Speaker 1", "Ada"])
    }

    @Test(arguments: [160, 512, 7777, 1_000_000]) func turnsDoNotDependOnTheChunks(chunk: Int) {
        #expect(diarize(talk, chunk: chunk).turns == diarize(talk).turns)
    }

    @Test func theNumberOfSpeakersCanBeGiven() {
        #expect(diarize(talk, counts: 1...1).turns.allSatisfy { $0.voice == 0 })
        #expect(diarize(talk, counts: 2...2).voices.count == 2)
        // Silence has no turns.
        #expect(diarize([(0, 100)]).turns.isEmpty)
        #expect(diarize([]).turns.isEmpty)
    }

    @Test func aShortTurnTakesTheVoiceItIs() {
        let found = diarize([(0.5, 150), (0, 20), (0.25, 150), (0, 20), (0.5, 25), (0, 20), (0.25, 150)])
        #expect(found.turns.map(\.voice) == [0, 1, 0, 1])
    }

    @Test func aPauseOfOneSpeakerDoesNotEndTheTurn() {
        let found = diarize([(0.5, 100), (0, 12), (0.5, 100)])
        #expect(found.turns.count == 1)
        #expect(diarize([(0.5, 100), (0, 60), (0.5, 100)]).turns.count == 2)
    }

    @Test func windowsCoverARegionEvenly() {
        for length in [1, 1000, 25_840, 25_841, 40_000, 333_333] {
            let ranges = WindowEmbedder.ranges(of: length, window: 25_840)
            #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == length)
            for (one, next) in zip(ranges, ranges.dropFirst()) {
                #expect(next.lowerBound - one.lowerBound <= WindowEmbedder.hop)
                #expect(next.count == 25_840)
            }
        }
        #expect(WindowEmbedder.ranges(of: 0, window: 25_840).isEmpty)
    }
}
