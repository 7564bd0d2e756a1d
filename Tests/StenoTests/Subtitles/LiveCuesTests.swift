import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// Cues that are decided while the text grows, compared with those of the same text as a file.
@Suite struct LiveCuesTests {
    /// The cues of a transcript whose words come a few at a time.
    private func live(_ transcript: Transcript, _ options: SubtitleOptions, seed: UInt64) -> [Cue] {
        var random = SplitMix64(seed: seed)
        var live = LiveCues(options)
        var cues: [Cue] = []
        for segment in transcript.segments {
            var words = segment.timedWords[...]
            var isFirst = true
            while !words.isEmpty {
                let count = Int.random(in: 1...5, using: &random)
                cues += live.append(Array(words.prefix(count)), startsSegment: isFirst)
                words = words.dropFirst(count)
                isFirst = false
            }
        }
        return cues + live.close(audioEnd: transcript.duration)
    }

    private func transcripts(_ kind: RandomTranscript.Kind, _ count: Int = 10) -> [Transcript] {
        (0..<(isLong ? 100 : UInt64(count))).map { seed in
            var source = RandomTranscript(kind, seed: seed)
            return source.make()
        }
    }

    @Test(arguments: RandomTranscript.Kind.allCases) func noTextIsLostAndCuesKeepTheirLimits(
        kind: RandomTranscript.Kind
    ) {
        let splitting = CueSplitting()
        for (seed, transcript) in transcripts(kind, 4).enumerated() {
            let text = transcript.segments.map(\.text).joined().filter { !$0.isWhitespace }
            let cues = live(transcript, .readable, seed: UInt64(seed))
            #expect(cues.map(\.text).joined().filter { !$0.isWhitespace } == text, "\(kind) \(seed)")
            for (cue, next) in zip(cues, cues.dropFirst()) {
                #expect(next.start - cue.end >= splitting.minGap - 1e-9, "\(kind) \(seed)")
            }
            for cue in cues {
                #expect(cue.end - cue.start <= splitting.maxDuration + 1e-9, "\(kind) \(seed)")
                #expect(cue.lines.count <= splitting.lineCount, "\(kind) \(seed)")
            }
        }
    }

    /// All but those of the first sentences, when the language is not known yet, and those after long pauses.
    @Test func mostCuesEqualThoseOfAFile() {
        var (same, all) = (0, 0)
        for (seed, transcript) in transcripts(.english).enumerated() {
            let file = Set(transcript.cues(.readable))
            let cues = live(transcript, .readable, seed: UInt64(seed))
            same += cues.count(where: file.contains)
            all += cues.count
        }
        #expect(all > 100)
        #expect(Double(same) >= 0.9 * Double(all), "\(same) of \(all)")
    }

    /// A cue comes out soon after its last word, so a pipe is not kept waiting.
    @Test func aCueIsDecidedAFewSecondsAfterItsEnd() {
        var source = RandomTranscript(.english, seed: 3)
        let words = (0..<(isLong ? 40 : 8)).flatMap { _ in source.make().segments.flatMap(\.timedWords).prefix(40) }
        var live = LiveCues(.readable)
        var (time, decided) = (0.0, 0.0)
        for var word in words {
            // The speaker never pauses or ends a sentence.
            word.rawText = " " + word.rawText.filter(\.isLetter)
            (word.start, word.end) = (time, time + 0.3)
            time += 0.3
            decided = live.append([word], startsSegment: time < 0.4).last?.end ?? decided
            #expect(time - decided <= 3 * CueSplitting().maxDuration)
        }
    }

    @Test func withoutSplittingACueIsAnUtterance() {
        var source = RandomTranscript(.english, seed: 5)
        let transcript = source.make()
        let cues = live(transcript, SubtitleOptions(), seed: 5)
        #expect(cues.count == transcript.segments.count && !cues.isEmpty)
    }
}

@Suite struct EstimatedWordsTests {
    private func words(_ text: String, _ start: Double = 0, _ end: Double) -> [Word] {
        Segment(id: 0, start: start, end: end, text: text).timedWords
    }

    @Test func charactersShareTheSegment() {
        let words = words(" one two  three ", 10, 26)
        #expect(words.map(\.rawText) == [" one", " two", "  three "] && words.map(\.start) == [10, 14, 18])
        #expect(words.last?.end == 26)
    }

    @Test func scriptsWithoutSpacesAreCutAtEveryCharacter() {
        #expect(words("猫GPT です。", 0, 8).map(\.rawText) == ["猫", "GPT", " で", "す", "。"])
        #expect(words("가나 다", 0, 1).map(\.rawText) == ["가나", " 다"])
    }

    @Test func noTextHasNoWordsAndTimesThatRunBackwardsGiveNoDuration() {
        for text in ["", "   ", "\n"] { #expect(words(text, 0, 1).isEmpty) }
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
        #expect(cues.map(\.start) == [30, 38.52] && cues.map(\.end) == [38.52, 40])
        #expect(cues[1].words.map(\.end) == [40])
        #expect(transcript.segments[1].end == 57.52, "segments keep the decoder's times")
        #expect(TranscriptFormat.srt.text(of: transcript).contains("00:00:38,520 --> 00:00:40,000"))
    }

    @Test func aCueBeyondTheAudioIsShownAtItsEnd() {
        let cues = transcript([(30, 41), (41, 43), (43, 44)], duration: 40).cues()
        #expect(cues.count == 3 && cues.last?.end == 40)
        for (cue, next) in zip(cues, cues.dropFirst()) { #expect(cue.end <= next.start) }
        for times in [[(0.0, 41.0)], [(30, 41), (41, 43), (43, 44)], [(39, 40), (40, 41)], [(40, 41)]] {
            for cue in transcript(times, duration: 40).cues() { #expect(cue.end > cue.start, "\(times)") }
        }
        for cue in transcript([(1, 2), (39.95, 44), (50, 50)], duration: 40).cues() { #expect(cue.end > cue.start) }
        // Without a duration nothing changes.
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
