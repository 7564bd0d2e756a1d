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

    private func transcripts(_ kind: RandomTranscript.Kind) -> [Transcript] {
        seeds(100).map { seed in
            var source = RandomTranscript(kind, seed: seed)
            return source.make()
        }
    }

    @Test(arguments: RandomTranscript.Kind.allCases) func noTextIsLostAndNoneComesTwice(kind: RandomTranscript.Kind) {
        for (seed, transcript) in transcripts(kind).enumerated() {
            let text = transcript.segments.map(\.text).joined().filter { !$0.isWhitespace }
            let cues = live(transcript, .readable, seed: UInt64(seed))
            #expect(cues.map(\.text).joined().filter { !$0.isWhitespace } == text, "\(kind) \(seed)")
        }
    }

    @Test(arguments: RandomTranscript.Kind.allCases) func cuesKeepTheirLimits(kind: RandomTranscript.Kind) {
        for (seed, transcript) in transcripts(kind).enumerated() {
            let cues = live(transcript, .readable, seed: UInt64(seed))
            let splitting = CueSplitting()
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
        let words = (0..<40).flatMap { _ in source.make().segments.flatMap(\.timedWords).prefix(40) }
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
