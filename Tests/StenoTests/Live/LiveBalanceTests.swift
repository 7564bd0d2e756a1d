import Testing

@testable import Steno
@testable import StenoCore

/// How much evidence a word needs before it is final.
struct LiveBalanceTests {
    private let certainties = Array(stride(from: 0.0, through: 1, by: 0.01))

    /// Everything that speaks for a word makes a mistake less likely.
    @Test func evidenceAddsUp() {
        func fall(_ risk: (Double) -> Double) -> Bool {
            let risks = certainties.map(risk)
            return zip(risks, risks.dropFirst()).allSatisfy { $0 >= $1 } && risks.allSatisfy { (0...1).contains($0) }
        }
        #expect(fall { EvidenceRule.risk(certainty: $0, voice: 0.8, steady: 0.3) })
        #expect(fall { EvidenceRule.risk(certainty: 0.5, voice: $0, steady: 0.3) })
        #expect(fall { EvidenceRule.risk(certainty: 0.5, voice: 0.8, steady: $0 * 5) })
    }

    /// The same word is final at once in a clear voice, and waits in one that the model hardly understands.
    @Test func theWaitDependsOnTheVoice() {
        let rule = EvidenceRule(.balanced)
        #expect(rule.isEnough(certainty: 0.8, voice: 0.95, steady: 0.16, age: 0.4))
        #expect(!rule.isEnough(certainty: 0.8, voice: 0.6, steady: 0.16, age: 0.4))
    }

    /// A word that holds up the others becomes final with less evidence.
    @Test(arguments: LiveBalance.allCases)
    func patienceEnds(balance: LiveBalance) {
        let rule = EvidenceRule(balance)
        let ages = (0..<200).map { Double($0) }
        let enough = ages.map { rule.isEnough(certainty: 0.3, voice: 0.8, steady: 1, age: $0) }
        #expect(enough.firstIndex(of: true).map { enough[$0...].allSatisfy(\.self) } ?? false)
        #expect(enough.first == false)
    }

    @Test func eachBalanceWaitsLongerThanTheOneBefore() {
        let rules = [LiveBalance.soonest, .balanced, .accurate].map(EvidenceRule.init)
        for certainty in certainties {
            for age in [0.3, 1, 3] {
                let enough = rules.map { $0.isEnough(certainty: certainty, voice: 0.8, steady: age, age: age) ? 0 : 1 }
                #expect(enough == enough.sorted())
            }
            let silences = rules.map { $0.silence(certainty) ?? .infinity }
            #expect(silences == silences.sorted())
        }
        #expect(rules.map(\.settlesAtPauses) == [true, true, false])
    }
}

/// The evidence for words that wait.
struct PendingWordTests {
    private func word(_ text: String, at end: Double) -> LiveWord {
        LiveWord(UtteranceWord(text: " " + text, tokens: [1], start: end - 0.2, end: end), origin: 0)
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
}
