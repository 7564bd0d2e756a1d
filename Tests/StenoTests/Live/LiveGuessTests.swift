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
            let heard = Double(decoding.span.upperBound) / 16_000
            for index in hypothesis.words.indices { hypothesis.words[index].probability = voice }
            for index in hypothesis.words.indices where hypothesis.words[index].handle == [number] {
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
            let word = try #require(driver.finals.first { $0.word.text == " w4" })
            return Double(word.position - word.word.end) / 16_000
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
        var random = SplitMix64(seed: 1)
        var talk = ScriptedTalk()
        talk.append(0, seconds: 1)
        for length in lengths { talk.speak(seconds: length) }
        talk.append(0, seconds: 0.35)
        talk.speak(6, using: &random)
        talk.append(0, seconds: 2)
        return talk
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
        let guess = try #require(driver.finals.first { $0.word.text == " w1" })
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
