import StenoCore
import StenoTestSupport
import Testing

@testable import Steno

/// Subtitles end with the audio.
@Suite struct CueEndTests {
    private func transcript(_ times: [(Double, Double)], duration: Double) -> Transcript {
        let segments = times.enumerated().map { Segment(id: $0, start: $1.0, end: $1.1, text: " text \($0)") }
        return Transcript(language: "en", languageProbability: 1, duration: duration, segments: segments)
    }

    /// The last cue of a recording of 40 s, as Whisper times it.
    @Test func noCueExtendsBeyondTheAudio() {
        let transcript = transcript([(30, 38.52), (38.52, 57.52)], duration: 40)
        let cues = transcript.cues()
        #expect(cues.map(\.start) == [30, 38.52])
        #expect(cues.map(\.end) == [38.52, 40])
        #expect(cues[1].words.map(\.end) == [40])
        #expect(transcript.segments[1].end == 57.52, "segments keep the decoder's times")
        #expect(TranscriptFormat.srt.text(of: transcript).contains("00:00:38,520 --> 00:00:40,000"))
    }

    @Test func aCueBeyondTheAudioIsShownAtItsEnd() {
        let cues = transcript([(30, 41), (41, 43), (43, 44)], duration: 40).cues()
        #expect(cues.count == 3)
        #expect(cues.last?.end == 40)
        for (cue, next) in zip(cues, cues.dropFirst()) { #expect(cue.end <= next.start) }
        for cue in cues { #expect(cue.end > cue.start) }
    }

    @Test func everyCueAtTheEndHasADuration() {
        for times in [[(0.0, 41.0)], [(39, 40), (40, 41)], [(40, 41)], [(1, 2), (39.95, 44), (50, 50)]] {
            for cue in transcript(times, duration: 40).cues() { #expect(cue.end > cue.start, "\(times)") }
        }
    }

    @Test func withoutADurationNothingChanges() {
        #expect(transcript([(30, 38), (38, 57)], duration: 0).cues().map(\.end) == [38, 57])
    }
}
