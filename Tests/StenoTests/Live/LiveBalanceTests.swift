import Testing

@testable import Steno
@testable import StenoCore

/// How much evidence a word needs before it is final.
struct LiveBalanceTests {
    private let probabilities = Array(stride(from: 0.0, through: 1, by: 0.01))

    /// The more probable a word is, the sooner it is final; the more accurate the balance, the later.
    @Test(arguments: LiveBalance.allCases)
    func probableWordsWaitLess(balance: LiveBalance) {
        let rule = EvidenceRule(balance)
        let waits = probabilities.map(rule.steadiness)
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 >= $1 })
        let silences = probabilities.map { rule.silence($0) ?? .infinity }
        #expect(zip(silences, silences.dropFirst()).allSatisfy { $0 >= $1 })
    }

    @Test func eachBalanceWaitsLongerThanTheOneBefore() {
        let rules = [LiveBalance.soonest, .balanced, .accurate].map(EvidenceRule.init)
        for probability in probabilities {
            let waits = rules.map { $0.steadiness(probability) }
            #expect(waits == waits.sorted())
            let silences = rules.map { $0.silence(probability) ?? .infinity }
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
