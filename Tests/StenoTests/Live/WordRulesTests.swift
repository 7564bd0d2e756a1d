import Testing

@testable import Steno
@testable import StenoCore

/// How many words pass each rule of a live text, given the words and the audio.
struct WordRulesTests {
    /// Words of 0.3 s with their starts, in seconds; all are certain.
    private func words(_ timed: (String, Double)..., probability: Double = 1) -> [LiveWord] {
        timed.map {
            LiveWord(
                UtteranceWord(text: $0, start: $1, end: $1 + 0.3, probability: probability, certainty: 1), origin: 0)
        }
    }

    private func text(_ decodings: [LiveWord]..., isThorough: Bool = false, heardTo: Double = 2) -> PendingText {
        var text = PendingText(isThorough: isThorough)
        for words in decodings { text.update(with: words, voice: 1, heardTo: heardTo.samples) }
        return text
    }

    @Test func quickDecodingsHaveToAgreeAndTheLastWordMayGrow() {
        let (three, none, rule) = (
            words((" a", 0), (" b", 0.4), (" c", 0.8)), text(isThorough: true), FinalRule(.balanced)
        )
        #expect(rule.safeCount(text(three), beside: none) == 0)
        #expect(rule.safeCount(text(three, three), beside: none) == 2)
        #expect(rule.safeCount(text(three, three, heardTo: 0.75), beside: none) == 1, "b may be half a word")
        let other = text(words((" x", 0)), isThorough: true)
        #expect(rule.safeCount(text(three, three), beside: other) == 0, "a thorough decoding has another word")
        let thorough = text(three, isThorough: true)
        #expect(rule.safeCount(thorough, beside: thorough) == 2)
        #expect(FinalRule(.balanced, agreesTwice: true).safeCount(thorough, beside: thorough) == 0)
    }

    @Test func aPauseMakesTheWordsBeforeItFinal() {
        func settled(_ words: [LiveWord], _ balance: LiveBalance = .balanced) -> (count: Int, isAll: Bool) {
            FinalRule(balance).settledCount(
                text(words), before: 1.0.samples, after: nil, guards: nil, speech: SpeechProfile(step: 0.1))
        }
        let two = words((" a", 0), (" b", 0.4), (" c", 1.2))
        #expect(settled(two) == (2, true))
        #expect(settled(two, .accurate) == (0, false), "words wait for the end of the utterance")
        #expect(settled(words((" no", 0), (" no", 0.4), probability: 0.3)) == (1, false), "a stutter")
        #expect(settled(words((" she", 0), ("'ll", 0.4), (" c", 1.2))) == (2, true))
        #expect(settled(words((" she", 0.5), ("'ll", 1.2))) == (0, false), "half a word")
    }

    @Test func aWordIsShownWhenItHasProbablyEnded() {
        let clear = words((" a", 0)), both = clear + words((" b", 0.4), probability: 0.5)
        let (quick, thorough) = (text(both), text(both, isThorough: true, heardTo: 1))
        let none = text(isThorough: true)
        func shown(_ thorough: PendingText, _ quick: PendingText, _ heardTo: Double, agreesTwice: Bool = false) -> Int {
            DisplayRule(showAfter: 0.5.samples, agreesTwice: agreesTwice)
                .words(of: thorough, and: quick, twice: 0, heardTo: heardTo.samples).count
        }
        #expect(shown(none, quick, 1.3) == 1, "an improbable word is shown later")
        #expect(shown(none, quick, 1.5) == 2)
        #expect(shown(thorough, text(), 1) == 2, "a thorough decoding hears both")
        #expect(shown(thorough, text(), 1, agreesTwice: true) == 1)
    }

    @Test func longTextIsTrimmedAtAPhraseAndLeavesContext() {
        let all = (0..<12).flatMap { words((" w", Double($0))) }
        #expect(TrimRule.count(all, heardTo: 10.0.samples) == 5, "five seconds stay")
        var marked = all
        marked.insert(contentsOf: words((",", 2.5)), at: 3)
        #expect(TrimRule.count(marked, heardTo: 10.0.samples) == 4)
        #expect(TrimRule.count(all, heardTo: 0) == 10, "two words stay in any case")
        #expect(TrimRule.count(Array(all[..<4]), heardTo: 10.0.samples) == nil)
    }

    @Test func textThatCannotBeSaidInItsTimeIsWrong() {
        func isSpeakable(letters: Int, in seconds: Double) -> Bool {
            HypothesisCheck.isSpeakable(
                words((" " + String(repeating: "a", count: letters), 0)), from: 0, to: seconds.samples)
        }
        #expect(isSpeakable(letters: 8, in: 0) && !isSpeakable(letters: 9, in: 0))
        #expect(isSpeakable(letters: 48, in: 1) && !isSpeakable(letters: 49, in: 1))
        #expect(HypothesisCheck.countBeforeLoop(words((" a", 0), (" a", 1)), nil) == 2)
    }

    /// Three seconds of speech.
    @Test func speechWithoutWordsIsOmitted() {
        let speech = SpeechProfile(step: 0.1, probabilities: [Float](repeating: 1, count: 30))
        func omits(_ words: [LiveWord], isLast: Bool = false) -> Bool {
            HypothesisCheck.omitsSpeech(words, from: 0, isLast: isLast, speech)
        }
        #expect(omits(words((" a", 1))) && !omits(words((" a", 0.5))))
        #expect(
            omits(words((" a", 0.5)), isLast: true)
                && !omits(words((" a", 0.5), (" b", 1.2), (" c", 1.9)), isLast: true))
        #expect(omits(words((" a", 0.5), (" b", 1.9))))
        #expect(!omits(words((".", 1)), isLast: true), "no words at all are another matter")
    }
}
