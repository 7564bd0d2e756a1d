import StenoTestSupport
import Testing

@testable import StenoCore

@Suite struct TextGuardPropertyTests {
    private static let step = 0.032

    private static func profile(_ random: inout SplitMix64, until end: Double) -> SpeechProfile {
        var isSpeech = false
        return SpeechProfile(
            step: step,
            probabilities: (0..<Int(end / step) + 1).map { _ in
                if Int.random(in: 0..<20, using: &random) == 0 { isSpeech.toggle() }
                return isSpeech ? Float.random(in: 0.3...1, using: &random) : Float.random(in: 0..<0.3, using: &random)
            })
    }

    /// Everything removed is reported, everything reported was in the text, and the order is kept.
    @Test(arguments: RandomTranscript.Kind.allCases) func everyWordIsKeptOrReported(kind: RandomTranscript.Kind) {
        for seed in seeds(100) {
            var source = RandomTranscript(kind, seed: seed)
            let transcript = source.make()
            let passages = transcript.segments.map { $0.words ?? [] }
            var random = SplitMix64(seed: seed)
            let profile = Self.profile(&random, until: transcript.duration)
            var guards = TextGuard(GuardOptions(), prompts: ["the captions of Lincoln"])
            let verdict = guards.check(passages, speech: profile)
            let kept = verdict.kept(of: passages)
            #expect(kept.count == passages.count)
            for (number, words) in passages.enumerated() {
                let spans = verdict.removed.filter { $0.passage == number }
                let gone = spans.flatMap(\.words)
                #expect(gone == gone.sorted() && Set(gone).count == gone.count, "\(kind) \(seed)")
                #expect(
                    kept[number] == words.indices.filter { !gone.contains($0) }.map { words[$0] }, "\(kind) \(seed)")
                for span in spans {
                    #expect(span.action.text == words[span.words].map(\.rawText).joined(), "\(kind) \(seed)")
                    #expect(span.action.start == words[span.words].first?.start, "\(kind) \(seed)")
                }
            }
        }
    }

    @Test func speechIsLeftUnchanged() {
        for seed in seeds(100) {
            var source = RandomTranscript(.english, seed: seed)
            let transcript = source.make()
            var number = 0
            let passages = transcript.segments.map { segment in
                (segment.words ?? []).map { word in
                    number += 1
                    return Word(rawText: word.rawText + "\(number)", start: word.start, end: word.end, probability: 1)
                }
            }
            let words = passages.joined()
            let profile = SpeechProfile(
                speech: words.map { $0.start..<max($0.start, $0.end) }, until: transcript.duration)
            var guards = TextGuard(GuardOptions())
            #expect(guards.check(passages, speech: profile) == GuardVerdict(), "\(seed)")
        }
    }

    /// Checking with a copy leaves the original unchanged.
    @Test func guardsHaveValueSemantics() {
        let original = TextGuard(GuardOptions())
        var copy = original
        let words = [spoken("The captain ordered everyone to stay away from the railing.")]
        for _ in 0..<3 { _ = copy.check(words, speech: nil) }
        var other = original
        #expect(other.check(words, speech: nil).removed.isEmpty)
        #expect(!copy.check(words, speech: nil).removed.isEmpty)
    }
}
