import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// Times of words in segments that have none.
@Suite struct EstimatedWordsTests {
    private func words(_ text: String, _ start: Double = 0, _ end: Double) -> [Word] {
        Segment(id: 0, start: start, end: end, text: text).timedWords
    }

    @Test func charactersShareTheSegment() {
        let words = words(" one two  three ", 10, 26)
        #expect(words.map(\.rawText) == [" one", " two", "  three "])
        #expect(words.map(\.start) == [10, 14, 18])
        #expect(words.last?.end == 26)
    }

    @Test func scriptsWithoutSpacesAreCutAtEveryCharacter() {
        #expect(words("猫GPT です。", 0, 8).map(\.rawText) == ["猫", "GPT", " で", "す", "。"])
        #expect(words("가나 다", 0, 1).map(\.rawText) == ["가나", " 다"])
    }

    @Test(arguments: ["", "   ", "\n"]) func noTextHasNoWords(text: String) {
        #expect(words(text, 0, 1).isEmpty)
    }

    @Test func timesThatRunBackwardsGiveNoDuration() {
        #expect(words(" a b", 2, 1).allSatisfy { $0.start == 2 && $0.end == 2 })
    }
}

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

@Suite struct TimestampTests {
    @Test(arguments: [
        (0, "00:00.000"), (59.9994, "00:59.999"), (59.9996, "01:00.000"), (3599.9996, "01:00:00.000"),
        (360000, "100:00:00.000"), (-0.5, "00:00.000"), (0.0005, "00:00.000"), (0.0015, "00:00.002"),
        (Double.infinity, "00:00.000"), (Double.nan, "00:00.000"),
    ])
    func formats(seconds: Double, text: String) {
        #expect(Timestamp.format(seconds) == text)
    }

    @Test func hoursAndDecimalMarkAreChoices() {
        #expect(Timestamp.format(1.5, alwaysHours: true, decimalMark: ",") == "00:00:01,500")
    }
}
