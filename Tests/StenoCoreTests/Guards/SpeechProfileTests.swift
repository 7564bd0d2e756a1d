import Testing

@testable import StenoCore

@Suite struct SpeechProfileTests {
    private let profile = SpeechProfile(start: 10, step: 0.032, probabilities: [0, 1, 1, 0.4, 0])
    private let step = 0.032

    @Test func windowsThatAreProbablySpeechCount() {
        #expect(abs(profile.seconds(from: -.infinity, to: .infinity, probability: 0.5) - 2 * step) < 1e-9)
        #expect(abs(profile.seconds(from: 0, to: 100, probability: 0.4) - 3 * step) < 1e-6)
        #expect(profile.seconds(from: 0, to: 100, probability: 0.41) < 2.1 * step)
    }

    @Test func partialWindowsCountProportionally() {
        let middle = 10 + 1.5 * step
        #expect(abs(profile.seconds(from: middle, to: middle + step, probability: 0.5) - step) < 1e-9)
        #expect(abs(profile.seconds(from: middle, to: 11, probability: 0.5) - 1.5 * step) < 1e-9)
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

    @Test func claimedWindowsAreNotCounted() {
        let claimed = [10 + step...10 + 2 * step]
        #expect(abs(profile.seconds(from: 0, to: 99, probability: 0.5, outside: claimed) - step) < 1e-9)
    }
}
