import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// Properties of every transcript and all options, with random ones of each kind: forty, and 150 with `STENO_LONG`.
@Suite struct CuePropertyTests {
    struct Case: Sendable {
        let transcript: Transcript
        let options: CueSplitting
        let cues: [Cue]
        let limits: ReadingLimits
        let name: Comment
    }

    private static func cases(_ kind: RandomTranscript.Kind) -> [Case] { all[kind] ?? [] }

    /// Made once for all tests.
    private static let all = Dictionary(uniqueKeysWithValues: RandomTranscript.Kind.allCases.map { ($0, made($0)) })

    private static func made(_ kind: RandomTranscript.Kind) -> [Case] {
        (0..<(isLong ? 150 : 40) as Range<UInt64>).map { seed in
            var source = RandomTranscript(kind, seed: seed)
            let transcript = source.make()
            var random = SplitMix64(seed: seed)
            var splitting = CueSplitting()
            if seed % 3 > 0 {
                splitting.lineWidth = Int.random(in: 5...60, using: &random)
                splitting.lineCount = Int.random(in: 1...4, using: &random)
                splitting.readingSpeed = Double.random(in: 5...30, using: &random)
                splitting.maxDuration = Double.random(in: 1...10, using: &random)
                splitting.minDuration = Double.random(in: 0...splitting.maxDuration, using: &random)
                splitting.minGap = Double.random(in: 0...0.5, using: &random)
            }
            let script = CueScript(of: transcript.segments.map(\.text))
            return Case(
                transcript: transcript, options: splitting,
                cues: transcript.cues(SubtitleOptions().with { $0.splitting = splitting }),
                limits: ReadingLimits(splitting, script: script), name: "\(kind) \(seed)")
        }
    }

    @Test(arguments: RandomTranscript.Kind.allCases) func noTextIsLostAndNoneComesTwice(kind: RandomTranscript.Kind) {
        for each in Self.cases(kind) {
            // Only white space may change: to a line feed, or several to one space.
            let said = each.transcript.segments.map(\.text).joined().filter { !$0.isWhitespace }
            #expect(each.cues.map(\.text).joined().filter { !$0.isWhitespace } == said, each.name)
        }
    }

    @Test func everyWordIsInOneCueInItsOrder() {
        for each in Self.cases(.english) {
            let words = each.transcript.segments.flatMap { $0.words ?? [] }.map(\.rawText.strippingWhitespace)
            #expect(each.cues.flatMap(\.words).map(\.text.strippingWhitespace) == words, each.name)
        }
    }

    @Test(arguments: RandomTranscript.Kind.allCases) func cuesKeepTheirTimes(kind: RandomTranscript.Kind) {
        for each in Self.cases(kind) {
            for (cue, next) in zip(each.cues, each.cues.dropFirst()) {
                #expect(next.start - cue.end >= each.limits.minGap - 1e-9, each.name)
            }
            for (index, cue) in each.cues.enumerated() {
                let duration = cue.end - cue.start
                #expect(duration >= CueTiming.shortest - 1e-9, each.name)
                #expect(duration <= each.limits.maxDuration + 1e-9, each.name)
                // Too short to be read only because the next one comes, the audio ends, or speech has long ended.
                let next = index + 1 < each.cues.count ? each.cues[index + 1].start : .infinity
                let isFree = next - cue.end > each.limits.minGap + 1e-6 && cue.end < each.transcript.duration - 1e-6
                if isFree { #expect(duration >= each.limits.minDuration - 1e-9, each.name) }
                let columns = TextWidth.of(cue.words.map(\.text).joined())
                let stayed = cue.end - (cue.words.last?.end ?? 0)
                if isFree, stayed < CueTiming.longestStay - 1e-6, duration < each.limits.maxDuration - 1e-6 {
                    #expect(Double(columns) / duration <= each.limits.readingSpeed + 1e-6, each.name)
                }
                // Words are in order within their cue.
                var last = cue.start
                for word in cue.words {
                    #expect(word.start >= last && word.end >= word.start && word.end <= cue.end, each.name)
                    last = word.start
                }
            }
        }
    }

    @Test(arguments: RandomTranscript.Kind.allCases) func linesKeepTheirWidth(kind: RandomTranscript.Kind) {
        for each in Self.cases(kind) {
            for cue in each.cues {
                #expect((1...each.limits.lineCount).contains(cue.lines.count), each.name)
                for line in cue.lines {
                    let text = line.map(\.text).joined()
                    #expect(!text.isEmpty && text == text.strippingWhitespace, each.name)
                    // A word too long for any line has its own.
                    #expect(TextWidth.of(text) <= each.limits.lineWidth || line.count == 1, "\(each.name) \(text)")
                }
            }
        }
    }

    /// The same words and options give the same cues, and options out of range break nothing.
    @Test func cuesAreDeterministic() {
        var source = RandomTranscript(.english, seed: 7)
        let transcript = source.make()
        var options = SubtitleOptions.readable
        #expect(transcript.cues(options) == transcript.cues(options))
        options.splitting?.lineWidth = -1
        options.splitting?.lineCount = 0
        options.splitting?.readingSpeed = .nan
        options.splitting?.maxDuration = -.infinity
        options.splitting?.minGap = .infinity
        #expect(throws: StenoError.self) { try options.validate() }
        #expect(!transcript.cues(options).isEmpty)
    }
}

/// Compares cues and highlighted words with those of openai-whisper's own writers
/// (`Tools/goldens/make_writer_goldens.py`).
@Suite struct CueGoldenTests {
    struct Golden: Decodable {
        struct Options: Decodable {
            let max_line_width: Int?
            let max_line_count: Int?
            let max_words_per_line: Int?
            let highlight_words: Bool?
        }
        let `case`: String
        let options: Options
        let srt: String
        let vtt: String
    }

    private static let goldens = Result {
        try JSONDecoder().decode([Golden].self, from: Data(contentsOf: Fixtures.file("writers/cues.json")))
    }

    @Test func everyOptionGivesTheFilesOfOpenAIWhisper() throws {
        let goldens = try Self.goldens.get()
        #expect(goldens.count == 44)
        for golden in goldens {
            let file = Fixtures.file("writers/\(golden.case).json")
            let transcript = try JSONDecoder().decode(Transcript.self, from: Data(contentsOf: file))
            let options = SubtitleOptions().with {
                ($0.maxLineWidth, $0.maxLineCount) = (golden.options.max_line_width, golden.options.max_line_count)
                $0.maxWordsPerLine = golden.options.max_words_per_line
                $0.highlight = golden.options.highlight_words == true ? .underline : .none
            }
            for (format, text) in [(TranscriptFormat.srt, golden.srt), (.vtt, golden.vtt)] {
                let written = format.text(of: transcript, subtitles: options)
                #expect(Array(written.utf8) == Array(text.utf8), "\(golden.case) \(format) \(golden.options)")
            }
        }
    }

    @Test func markupInATextIsEscapedInWebVTTAndTheArrowEverywhere() {
        let transcript = Transcript.saying("R&D <laughs> 1 < 2 --> 3")
        #expect(TranscriptFormat.vtt.text(of: transcript).contains("\nR&amp;D &lt;laughs> 1 &lt; 2 -> 3\n"))
        #expect(TranscriptFormat.srt.text(of: transcript).contains("\nR&D <laughs> 1 < 2 -> 3\n"))
        let options = SubtitleOptions().with { $0.highlight = .underline }
        #expect(TranscriptFormat.vtt.text(of: transcript, subtitles: options).contains("<u>R&amp;D</u> &lt;laughs>"))
        // openai-whisper forgets to replace the arrow if there are words, which breaks the file.
        for format in [TranscriptFormat.srt, .vtt] {
            let text = format.text(of: .saying(timed((" a", 0, 1), (" --> b", 1, 2))))
            #expect(text.contains("a -> b") && text.components(separatedBy: "-->").count == 2)
        }
    }
}

extension Transcript {
    /// A transcript of one segment that has these words.
    static func saying(_ words: [Word], duration: Double? = nil) -> Transcript {
        let start = words.first?.start ?? 0, end = words.last?.end ?? 0
        let segment = Segment(id: 0, start: start, end: end, text: words.map(\.rawText).joined(), words: words)
        return Transcript(language: "en", duration: duration ?? end, segments: [segment])
    }

    /// A transcript of a text whose words take some time per character.
    static func saying(_ text: String, secondsPerCharacter: Double = 0.06, start: Double = 0) -> Transcript {
        let words = spoken(text, from: start, perLetter: secondsPerCharacter)
        return .saying(words, duration: (words.last?.end ?? start) + 5)
    }
}
