import StenoTestSupport
import StenoVoiceActivity
import Testing

@testable import Steno
@testable import StenoCore

/// What the policy does with single windows and hypotheses.
struct LivePolicyTests {
    private func hypothesis(_ words: [(String, Double, Double)]) -> UtteranceHypothesis {
        UtteranceHypothesis(
            words: words.enumerated().map { UtteranceWord(text: $1.0, handle: [$0], start: $1.1, end: $1.2) },
            language: .english)
    }

    /// Feeds windows of one probability; every decoding ends at once with the given words and language.
    private func hear(
        _ policy: inout LivePolicy, _ probability: Float, seconds: Double, words: [(String, Double, Double)] = [],
        language: LanguageDetection = .english
    ) -> [LiveAction] {
        var all: [LiveAction] = []
        var heard = hypothesis(words)
        heard.language = language
        for _ in 0..<Int((seconds / VoiceActivity.windowSeconds).rounded()) {
            all += policy.hear(probability)
            while policy.decoding != nil { all += policy.update(with: heard) }
        }
        return all
    }

    /// After a syllable any language is possible, even one in a foreign script.
    @Test(arguments: [(0.05, false), (0.9, true)])
    func textInAnUnlikelyLanguageIsNotShown(probability: Double, isShown: Bool) {
        var policy = LivePolicy(LiveOptions())
        let actions = hear(
            &policy, 0.9, seconds: 1.28, words: [(" one", 0.1, 0.4), (" two", 0.4, 0.7)],
            language: LanguageDetection(language: "ja", probability: probability))
        #expect(actions.showsText == isShown)
    }

    /// On a slow machine seconds are heard while a syllable is decoded, but the language was detected from a syllable.
    @Test func theLanguageIsThatOfTheDecodedAudio() throws {
        var policy = LivePolicy(LiveOptions())
        func result(_ language: String) -> [LiveAction] {
            var hypothesis = hypothesis([(" one", 0.0, 0.1)])
            hypothesis.language = LanguageDetection(language: language, probability: 0.9)
            return policy.update(with: hypothesis)
        }
        while policy.decoding == nil { _ = policy.hear(0.9) }
        let syllable = try #require(policy.decoding)
        #expect(syllable.speech < 0.3.samples && syllable.speech <= syllable.span.count)
        for _ in 0..<100 { _ = policy.hear(0.9) }
        #expect(!result("ja").knowsLanguage)
        while policy.decoding == nil { _ = policy.hear(0.9) }
        let seconds = try #require(policy.decoding)
        #expect(seconds.request.settings.language == nil && seconds.speech > 3.samples)
        #expect(result("en").knowsLanguage)
        while policy.decoding == nil { _ = policy.hear(0.9) }
        #expect(policy.decoding?.request.settings.language == "en")
    }

    /// Noise at the beginning may be mistaken for another language.
    @Test(arguments: [(0.9, 2.0), (0.63, 6.0)])
    func aLessLikelyLanguageNeedsMoreSpeech(probability: Double, seconds: Double) {
        var policy = LivePolicy(LiveOptions())
        var accepted: Double?
        for window in 1...300 where accepted == nil {
            let actions = hear(
                &policy, 0.9, seconds: VoiceActivity.windowSeconds, words: [(" one", 0.1, 0.4)],
                language: LanguageDetection(language: "cy", probability: probability))
            if actions.knowsLanguage { accepted = Double(window) * VoiceActivity.windowSeconds }
        }
        #expect(accepted.map { (seconds..<seconds + 0.8).contains($0) } ?? false, "after \(accepted ?? .nan) s")
    }

    /// Long speech is cut where it is quietest, but final words must not be decoded again.
    @Test func aCutNeverComesBeforeAFinalWord() throws {
        var policy = LivePolicy(LiveOptions(language: "en"))
        // Three words in 24 s, too few to trim at; the quietest moment lies before the end of the third.
        let words = [(" one", 21.0, 21.4), (" two", 21.6, 22.0), (" three", 22.2, 22.6), (" four", 22.8, 23.2)]
        var actions = hear(&policy, 0.9, seconds: 20.8, words: [])
        actions += hear(&policy, 0.4, seconds: 0.1, words: [])
        actions += hear(&policy, 0.9, seconds: 6, words: words)
        let spans = actions.decodings
        let end = try #require(actions.commits.joined().first { $0.text == " three" }?.end)
        let rest = try #require(spans.first { $0.utterance == 1 })
        #expect(rest.span.lowerBound >= end, "the first utterance has these words")
        let last = try #require(spans.last { $0.utterance == 0 })
        #expect(last.span.upperBound == rest.span.lowerBound, "no audio is left out")
    }

    @Test func speechThatIsTooShortIsReported() {
        var policy = LivePolicy(LiveOptions(language: "en"))
        var actions = hear(&policy, 0.01, seconds: 1)
        actions += hear(&policy, 0.9, seconds: 0.064)
        actions += hear(&policy, 0.01, seconds: 1)
        let skipped = actions.compactMap { if case .skipped(let span, let reason) = $0 { (span, reason) } else { nil } }
        #expect(skipped.map(\.1) == [.tooShort] && skipped.allSatisfy { $0.0.contains(16_384) })
        #expect(actions.contains(.endUtterance(0)) && actions.decodings.isEmpty)
    }

    /// A result whose utterance is gone is ignored, and the next decoding is requested.
    @Test func aStrayResultIsIgnored() {
        var policy = LivePolicy(LiveOptions(language: "en"))
        #expect(policy.update(with: hypothesis([(" stray", 0, 1)])).isEmpty)
        while policy.decoding == nil { _ = policy.hear(0.9) }
        _ = policy.clear()
        for _ in 0..<5 { _ = policy.hear(0.9) }
        let actions = policy.update(with: hypothesis([(" stray", 0, 1)]))
        for _ in 0..<50 { _ = policy.hear(0.9) }
        #expect(actions.commits.isEmpty && !actions.showsText)
        #expect(policy.decoding?.utterance == 1, "the policy continues")
    }

    /// The draft of a decoding is the previous text, final words and punctuation included.
    @Test func theDraftIsTheLastHypothesis() throws {
        var policy = LivePolicy(LiveOptions(language: "en"))
        let words = [(" one", 0.0, 0.3), (",", 0.3, 0.3), (" two", 0.4, 0.7), (" three", 0.7, 0.9)]
        let actions = hear(&policy, 0.9, seconds: 1.6, words: words)
        let requests = actions.decodings.map(\.request)
        #expect(requests[0].draft.isEmpty && requests[1].draft.flatMap(\.handle) == [0, 1, 2, 3])
        let later = try #require(requests.last { $0.effort == .quick })
        #expect(later.draft.flatMap(\.handle) == [0, 1, 2, 3])
        #expect(!actions.commits.isEmpty)
    }

    /// While somebody speaks, decodings take half of the time at most, and begin every step at most.
    @Test(arguments: [0.0, 0.03, 0.08, 0.12, 0.3, 0.6]) func theStepFollowsTheCost(cost: Double) throws {
        let talk = ScriptedTalk.monologue(40, seed: 3)
        let options = LiveOptions(language: "en")
        var driver = PolicyDriver(talk, options) { cost }
        try driver.play(to: talk.count)
        let starts = driver.decodings.map(\.position.seconds)
        let steps = zip(starts, starts.dropFirst()).map { $1 - $0 }
        let mean = steps.reduce(0, +) / Double(steps.count)
        #expect(steps.allSatisfy { $0 >= options.step - 0.001 && $0 > cost })
        #expect(mean >= 1.8 * cost && mean < max(options.step, 2 * cost) + 0.1)
    }

    @Test func shownTextKeepsItsPunctuationAndCapitals() {
        func words(_ texts: String...) -> [LiveWord] {
            texts.enumerated().map { LiveWord(UtteranceWord(text: $1, handle: [$0], start: 0, end: 0), origin: 0) }
        }
        func held(_ new: [LiveWord], as shown: [LiveWord]) -> String { new.held(as: shown).map(\.text).joined() }
        #expect(held(words(" Hello", ",", " World", " and"), as: words(" hello", " world")) == " hello world and")
        #expect(held(words(" hello", " world"), as: words(" Hello", ",", " you")) == " Hello world")
        #expect(held(words(",", " and"), as: words(" and")) == " and")
        #expect(held(words(" one", " two", "."), as: []) == " one two.")
        #expect(held(words(" one"), as: words(" One", ".", " Two")) == " One")
    }

    /// The next decoding may change even a word of which the model is sure.
    @Test func oneQuickDecodingMakesNothingFinal() {
        var policy = LivePolicy(LiveOptions(language: "en"))
        _ = hear(&policy, 0.9, seconds: 0.5)
        let words = [(" one", 0.0, 0.5), (" two", 0.5, 0.65)]
        for isFinal in [false, true] {
            let actions = hear(&policy, 0.9, seconds: 0.224, words: words)
            #expect(actions.decodings.map(\.request.effort) == [.quick])
            #expect(actions.commits.isEmpty != isFinal)
        }
    }
}
