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
