import StenoTestSupport
import Testing

@testable import StenoCore

@Suite struct GuardedTextTests {
    @Test func textsAreComparedWithoutPunctuationAndCapitals() {
        #expect(
            GuardedText.keys(of: " Hello, WORLD! It's 3.5 – well-known.") == [
                "hello", "world", "its", "35", "wellknown",
            ])
        #expect(GuardedText.keys(of: "Amara.org") == ["amaraorg"])
        #expect(GuardedText.keys(of: " … ♪ ").isEmpty)
        // In scripts without spaces the model's word boundaries are arbitrary, so characters are compared.
        #expect(GuardedText.keys(of: "ご視聴 ありがとう。OK") == ["ご", "視", "聴", "あ", "り", "が", "と", "う", "ok"])
        let text = GuardedText([timed(("ご視", 0, 1), ("聴。", 1, 2))])
        #expect(text.units.map(\.item) == [0, 0, 1])
        #expect(text.items(of: 1..<3) == 0..<2)
    }

    @Test func aSyllableTakesLongerThanALetter() {
        #expect(GuardedText.letters(in: spoken("So, it's 10!")) == 7)
        #expect(GuardedText.letters(in: spoken("天気")) == 5)
        #expect(GuardedText.letters(in: spoken("안녕")) == 5)
    }

    @Test func phrasesEndWithSentencesSilencesAndPassages() {
        let first = spoken("Yes. It is") + spoken("far away", from: 3)
        let text = GuardedText([first, spoken("from here", from: 4.2)])
        #expect(text.phrases(without: [:], repeated: []).map(\.items) == [0..<1, 1..<3, 3..<5, 5..<7])
    }

    /// Two repeated phrases are not joined, even if their marks are equal and no pause is between them.
    @Test func aRepeatedPhraseIsAPhraseOfItsOwn() {
        let text = GuardedText([spoken("one two three four. five six seven")])
        let mark = GuardMark(kind: .promptRepetition, reason: "a repetition of the prompt")
        let repeated = [Phrase(items: 1..<3, repeated: mark), Phrase(items: 3..<5, repeated: mark)]
        let phrases = text.phrases(without: [:], repeated: repeated)
        #expect(phrases.map(\.items) == [0..<1, 1..<3, 3..<5, 5..<7])
        #expect(phrases.map(\.repeated) == [nil, mark, mark, nil])
        // The first of two that overlap has the words; removed words divide a phrase.
        let overlapping = [repeated[0], Phrase(items: 2..<6, repeated: mark)]
        let divided = text.phrases(without: [4: mark], repeated: overlapping)
        #expect(divided.map(\.items) == [0..<1, 1..<3, 3..<4, 5..<6, 6..<7])
    }
}

@Suite struct LoopsTests {
    private func loops(_ text: String) -> [Loops.Loop] {
        Loops.find(in: text.split(separator: " ").map(String.init), repeats: 3, repeatedWords: 8)
    }

    @Test(
        arguments: [
            // A phrase three times is a loop when it is long, and a word may be repeated several times.
            ("x a b c d a b c d a b c d y", [1..<13]), ("a b c a b c a b c", []), ("a b c d a b c d", []),
            ("no no no no no no no no", []), ("no no no no no no no no no", [0..<9]),
            // An incomplete repetition belongs to the loop at the end of the text, but not before other words.
            ("a b c d a b c d a b c d a b", [0..<14]), ("a b c d a b c d a b c d a b x", [0..<12]),
            ("a b c d a b c d a b c d x e f g h i e f g h i e f g h i", [0..<12, 13..<28]),
            ("", []), ("a", []), ("a b c d e f g h i j k", []),
        ] as [(String, [Range<Int>])]) func loopsAreFound(text: String, ranges: [Range<Int>])
    {
        #expect(loops(text).map(\.range) == ranges)
    }

    @Test func theShortestPhraseWins() {
        #expect(loops("x a b c d a b c d a b c d y") == [Loops.Loop(range: 1..<13, period: 4, count: 3)])
        #expect(loops("no no no no no no no no no").map(\.count) == [9])
        #expect(loops("a a a a a a a a a a a a").map(\.period) == [1])
        #expect(loops("a b c d a b c d a b c d a b").first?.repeated == 4..<14)
    }
}

@Suite struct SpeechProfileTests {
    private let profile = SpeechProfile(start: 10, step: 0.032, probabilities: [0, 1, 1, 0.4, 0])
    private let step = 0.032

    @Test func windowsThatAreProbablySpeechCount() {
        #expect(abs(profile.seconds(from: -.infinity, to: .infinity, probability: 0.5) - 2 * step) < 1e-9)
        #expect(abs(profile.seconds(from: 0, to: 100, probability: 0.4) - 3 * step) < 1e-6)
        #expect(profile.seconds(from: 0, to: 100, probability: 0.41) < 2.1 * step)
    }

    @Test func partialWindowsCountProportionallyAndClaimedOnesNotAtAll() {
        let middle = 10 + 1.5 * step
        #expect(abs(profile.seconds(from: middle, to: middle + step, probability: 0.5) - step) < 1e-9)
        #expect(abs(profile.seconds(from: middle, to: 11, probability: 0.5) - 1.5 * step) < 1e-9)
        let claimed = [10 + step...10 + 2 * step]
        #expect(abs(profile.seconds(from: 0, to: 99, probability: 0.5, outside: claimed) - step) < 1e-9)
    }

    @Test func rangesOutsideTheProfileOrInTheWrongOrderAreEmpty() {
        for (from, to) in [(0.0, 10.0), (10.2, 99.0), (10.1, 10.0), (10.05, 10.05), (.nan, 11), (10, .nan)] {
            #expect(profile.seconds(from: from, to: to, probability: 0.5) == 0, "\(from) \(to)")
        }
        #expect(SpeechProfile(step: step).seconds(from: 0, to: 9, probability: 0) == 0)
    }

    @Test(arguments: [0.01, 0.032, 0.5]) func aWindowIsAsLongAsTheDetectorSays(step: Double) {
        let profile = SpeechProfile(step: step, probabilities: [0, 1, 1])
        #expect(abs(profile.seconds(from: 0, to: 99, probability: 0.5) - 2 * step) < 1e-9)
        #expect(profile.seconds(from: 0, to: step, probability: 0.5) == 0)
        #expect(abs(profile.seconds(from: 1.5 * step, to: 99, probability: 0.5) - 1.5 * step) < 1e-9)
    }
}

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
