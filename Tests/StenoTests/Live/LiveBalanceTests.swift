import Testing

@testable import Steno
@testable import StenoCore

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

    /// The same word at another time is another word.
    @Test func aRepetitionIsAnotherWord() {
        let first = [PendingWord]().updated(with: [word("hold", at: 1)], heardTo: 100)
        #expect(first.updated(with: [word("hold", at: 2)], heardTo: 200).map(\.count) == [1])
        let twice = first.updated(with: [word("hold", at: 1), word("hold", at: 1.4)], heardTo: 200)
        #expect(twice.map(\.count) == [2, 1])
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
        let language = LanguageDetection(language: "en", probability: 1)
        #expect(UtteranceHypothesis(words: words, language: language).meanProbability == 0.6)
        #expect(UtteranceHypothesis(words: [words[1]], language: language).meanProbability == nil)
    }

    /// Quick decodings cannot finalise a word that thorough ones have differently.
    @Test func aWordIsContradictedByAnotherInItsPlace() {
        var text = PendingText(isThorough: true)
        text.update(
            with: [word("stitch", at: 1), word("in", at: 1.2), word("time", at: 1.6)], voice: nil, heardTo: 2.0.samples)
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
