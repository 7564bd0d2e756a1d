import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// Words that the model guesses before it has heard enough wait for more audio, and delay nothing forever.
struct LiveGuessTests {
    private let options = LiveOptions(language: "en")
    private let talk = ScriptedTalk.monologue(24, seed: 3, before: 2)

    /// A policy whose model writes " guess" for one word of a talk until some seconds after it have been heard.
    ///
    /// - Parameter voice: The probability of all words.
    private func driver(
        _ talk: ScriptedTalk, _ options: LiveOptions? = nil, word number: Int, certainty: Double,
        understoodAfter seconds: Double, voice: Double = 1
    ) -> PolicyDriver {
        let model = AlteredModel(talk) { hypothesis, decoding in
            let heard = decoding.span.upperBound.seconds
            for index in hypothesis.words.indices {
                hypothesis.words[index].probability = voice
                guard hypothesis.words[index].handle == [number] else { continue }
                hypothesis.words[index].certainty = certainty
                if heard < talk.words[number].end + seconds { hypothesis.words[index].text = " guess" }
            }
        }
        return PolicyDriver(talk, options ?? self.options, decoder: model) { 0.05 }
    }

    /// "What your country" was "Why do you" for a second.
    @Test func aGuessWaitsForMoreAudio() throws {
        var driver = driver(talk, word: 4, certainty: 0.1, understoodAfter: 0.8)
        try driver.finishWithWholeText()
    }

    /// The less sure the model is of a word, the longer the decodings must agree on it; none waits forever.
    @Test func noWordDelaysTheOthersForever() throws {
        let waits = try [1, 0.9, 0.6, 0.3, 0.05].map { certainty in
            var driver = driver(talk, word: 4, certainty: certainty, understoodAfter: 0, voice: 0.8)
            try driver.finishWithWholeText()
            #expect(driver.finals.map(\.position) == driver.finals.map(\.position).sorted())
            let word = try driver.final(" w4")
            return (word.position - word.word.end).seconds
        }
        #expect(waits == waits.sorted(), "\(waits)")
        #expect(waits[0] < 0.7 && waits[4] > 1.2 && waits[4] < 2.5, "\(waits)")
    }

    /// Where a doubtful word holds up the others, a decoding with beam search is asked.
    @Test(arguments: [(0.4, true), (1, false)])
    func aDoubtfulWordGetsASecondOpinion(certainty: Double, isAsked: Bool) throws {
        var driver = driver(talk, word: 4, certainty: certainty, understoodAfter: 0, voice: 0.8)
        try driver.play(to: talk.count - 2 * 16_000)
        #expect(driver.decodings.contains { $0.decoding.isThorough } == isAsked)
    }

    /// With the balance `accurate` nothing is final before the end of the utterance.
    @Test func anAccurateTextWaitsForTheEndOfItsUtterance() throws {
        let options = options.with { $0.balance = .accurate }
        var driver = driver(talk, options, word: 4, certainty: 0.9, understoodAfter: 3)
        try driver.finishWithWholeText()
        #expect(Set(driver.finals.map(\.position)).count == 1)
    }

    /// A talk with a pause after words of these lengths.
    private func talkPausing(after lengths: [Double]) -> ScriptedTalk {
        ScriptedTalk([.silence(1)] + lengths.map { .word($0) } + [.silence(0.35), .words(6), .silence(2)])
    }

    /// The text of a first syllable before a pause is often wrong: "I'm" for "and so".
    @Test func aGuessIsNotFinalAtAPause() throws {
        let talk = talkPausing(after: [0.2])
        for (certainty, text) in [(0.1, " w0"), (0.97, " guess")] {
            var driver = driver(talk, word: 0, certainty: certainty, understoodAfter: 0.4)
            try driver.finish()
            #expect(driver.finals.map(\.word.text) == [text] + talk.words.dropFirst().map(\.text))
        }
    }

    /// A guess that is shown is not final at a pause, but it does not vanish there to come back later either.
    @Test func aShownGuessStaysAtAPause() throws {
        let talk = talkPausing(after: [0.5, 0.5, 0.5])
        var driver = driver(talk, word: 1, certainty: 0.1, understoodAfter: 0)
        try driver.finishWithWholeText()
        let screens = screens(driver.actions.map(\.action))
        let first = try #require(screens.firstIndex { $0.contains(" w1 w2") })
        #expect(screens[first...].allSatisfy { $0.contains(" w1 w2") })
        let beginning = try #require(driver.finals.first)
        let guess = try driver.final(" w1")
        #expect(beginning.word.text == " w0" && beginning.position < guess.position, "only the guess had to wait")
    }

    /// What a reader sees after each step: all final text, and the partial text after it.
    private func screens(_ actions: [LiveAction]) -> [String] {
        var (final, screens) = ("", [String]())
        for (index, action) in actions.enumerated() {
            switch action {
            case .commit(let words, _):
                final += words.map(\.text).joined()
                // What is shown after a final text comes in the same event.
                if index + 1 < actions.count, case .show = actions[index + 1] { continue }
                screens.append(final)
            case .show(let words, _): screens.append(final + words.map(\.text).joined())
            default: break
            }
        }
        return screens
    }

    /// At the end of its utterance every word is final, since nothing more will be heard of it.
    @Test func theLastDecodingDecides() throws {
        var driver = driver(talk, word: 23, certainty: 0.01, understoodAfter: 60)
        try driver.finish()
        #expect(driver.finals.last?.word.text == " guess")
        #expect(driver.finals.count == 24)
    }
}

/// How much evidence a word needs before it is final.
struct LiveBalanceTests {
    private let shares = Array(stride(from: 0.0, through: 1, by: 0.01))

    private func evidence(
        certainty: Double = 0.5, support: Double = 1, voice: Double = 0.8, steady: Double = 0.3, duration: Double = 0.3,
        isThorough: Bool
    ) -> Evidence {
        Evidence(
            certainty: certainty, support: support, voice: voice, steady: steady, duration: duration,
            isThorough: isThorough)
    }

    /// All evidence for a word makes a mistake less likely.
    @Test(arguments: [false, true]) func evidenceAddsUp(isThorough: Bool) {
        func fall(_ evidence: (Double) -> Evidence) -> Bool {
            let risks = shares.map { evidence($0).risk }
            return zip(risks, risks.dropFirst()).allSatisfy { $0 >= $1 } && risks[0] > risks[risks.count - 1]
                && risks.allSatisfy { (0...1).contains($0) }
        }
        #expect(fall { evidence(certainty: $0, isThorough: isThorough) })
        #expect(fall { evidence(support: $0, isThorough: isThorough) } == isThorough, "quick decodings have one text")
        #expect(fall { evidence(voice: $0, isThorough: isThorough) })
        #expect(fall { evidence(steady: $0 * 5, isThorough: isThorough) })
        #expect(fall { evidence(duration: $0, isThorough: isThorough) })
    }

    /// The same word is final at once in a clear voice, and waits in one that the model hardly understands.
    @Test(arguments: [false, true]) func theWaitDependsOnTheVoice(isThorough: Bool) {
        let rule = EvidenceRule(.balanced)
        #expect(rule.isEnough(evidence(certainty: 0.9, voice: 0.95, isThorough: isThorough), age: 0.4))
        #expect(!rule.isEnough(evidence(certainty: 0.9, voice: 0.3, isThorough: isThorough), age: 0.4))
    }

    /// A word that holds up the others becomes final with less evidence, if a thorough decoding has it.
    @Test(arguments: LiveBalance.allCases) func patienceEnds(balance: LiveBalance) {
        let rule = EvidenceRule(balance)
        func enough(_ isThorough: Bool) -> [Bool] {
            (0..<400).map {
                rule.isEnough(evidence(certainty: 0.2, voice: 0.6, isThorough: isThorough), age: Double($0))
            }
        }
        #expect(enough(true).firstIndex(of: true).map { enough(true)[$0...].allSatisfy(\.self) } ?? false)
        #expect(enough(true).first == false)
        #expect(!enough(false).contains(true))
    }

    @Test func eachBalanceWaitsLongerThanTheOneBefore() {
        let rules = [LiveBalance.soonest, .balanced, .accurate].map(EvidenceRule.init)
        for certainty in shares {
            for age in [0.3, 1, 3] {
                for isThorough in [false, true] {
                    let found = evidence(certainty: certainty, steady: age, isThorough: isThorough)
                    let enough = rules.map { $0.isEnough(found, age: age) ? 0 : 1 }
                    #expect(enough == enough.sorted())
                    let settled = rules.map { $0.isSettled(found) ? 0 : 1 }
                    #expect(settled == settled.sorted())
                }
            }
        }
        #expect(rules.map(\.settlesAtPauses) == [true, true, false])
    }
}

/// The evidence for words that wait.
struct PendingWordTests {
    private func word(_ text: String, at end: Double) -> LiveWord {
        LiveWord(UtteranceWord(text: " " + text, handle: [1], start: end - 0.2, end: end), origin: 0)
    }

    @Test func evidenceGrowsWithEachDecodingThatAgrees() {
        var pending: [PendingWord] = []
        pending = pending.updated(with: [word("one", at: 1)], heardTo: 100)
        pending = pending.updated(with: [word("One", at: 1.1), word("two", at: 1.5)], heardTo: 200)
        #expect(pending.map(\.since) == [100, 200] && pending.map(\.count) == [2, 1])
        // Another first word changes nothing for the second.
        pending = pending.updated(with: [word("won", at: 1), word("two", at: 1.5)], heardTo: 300)
        #expect(pending.map(\.since) == [300, 200] && pending.map(\.count) == [1, 2])
    }

    /// The voice covers all words of the newest hypothesis that has any, final or not.
    @Test func theVoiceCoversTheWholeHypothesis() {
        var text = PendingText(isThorough: false)
        text.update(with: [word("time", at: 1.6)], voice: 0.7, heardTo: 2.0.samples)
        #expect(text.evidence(for: text.words[0]).voice == 0.7)
        text.update(with: [word("time", at: 1.6)], voice: nil, heardTo: 2.2.samples)
        #expect(text.evidence(for: text.words[0]).voice == 0.7)
        let words = [(" clear", 0.9), (",", 0.1), (" muffled", 0.3)].map {
            UtteranceWord(text: $0.0, start: 0, end: 1, probability: $0.1)
        }
        #expect(UtteranceHypothesis(words: words, language: .english).meanProbability == 0.6)
        #expect(UtteranceHypothesis(words: [words[1]], language: .english).meanProbability == nil)
    }

    /// Quick decodings cannot finalise a word that thorough ones have differently.
    @Test func aWordIsContradictedByAnotherInItsPlace() {
        var text = PendingText(isThorough: true)
        let words = [word("stitch", at: 1), word("in", at: 1.2), word("time", at: 1.6)]
        text.update(with: words, voice: nil, heardTo: 2.0.samples)
        #expect(text.contradicts(word("stitching", at: 1.2), edge: 0.1.samples))
        #expect(!text.contradicts(word("in", at: 1.3), edge: 0.1.samples))
        #expect(!text.contradicts(word("saves", at: 1.95), edge: 0.1.samples), "it was not heard yet")
    }

    /// Words that become final in one text leave the other, whatever is in their place there.
    @Test func finalWordsLeaveBothTexts() {
        var text = PendingText(isThorough: true)
        text.update(
            with: [word("stitching", at: 1.2), word("time", at: 1.6), word("saves", at: 2)], voice: nil,
            heardTo: 2.5.samples)
        text.drop([word("stitch", at: 1), word("in", at: 1.2)])
        #expect(text.words.map(\.word.text) == [" time", " saves"])
    }
}
