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
    private static let all = Dictionary(
        uniqueKeysWithValues: RandomTranscript.Kind.allCases.map { ($0, made($0)) })

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

    @Test(arguments: RandomTranscript.Kind.allCases) func cuesNeverOverlapAndKeepTheirGap(kind: RandomTranscript.Kind) {
        for each in Self.cases(kind) {
            for (cue, next) in zip(each.cues, each.cues.dropFirst()) {
                #expect(next.start - cue.end >= each.limits.minGap - 1e-9, each.name)
            }
        }
    }

    @Test(arguments: RandomTranscript.Kind.allCases) func cueDurationsKeepTheirLimits(kind: RandomTranscript.Kind) {
        for each in Self.cases(kind) {
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

    @Test(arguments: RandomTranscript.Kind.allCases) func wordsAreInOrderWithinTheirCues(kind: RandomTranscript.Kind) {
        for each in Self.cases(kind) {
            for cue in each.cues {
                var last = cue.start
                for word in cue.words {
                    #expect(word.start >= last && word.end >= word.start && word.end <= cue.end, each.name)
                    last = word.start
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
