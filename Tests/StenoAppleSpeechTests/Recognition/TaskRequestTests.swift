import Testing

@testable import StenoAppleSpeech

/// What is asked of the policy: text up to a position, an empty transcript, the end.
struct TaskRequestTests {
    private var driver = PolicyDriver()

    @Test mutating func textIsAskedForDuringSpeechThatContinuesWhileATaskEnds() {
        _ = driver.hear(56, speech: true)
        let asked = driver.position
        #expect(driver.finalize(through: asked).isEmpty, "the first task is ending already")
        _ = driver.hear(3, speech: true)
        let second = driver.report(text("First.", isFinal: true))
        #expect(!driver.policy.isSettled(through: asked))
        let rest = [Float](repeating: 0.5, count: PolicyDriver.rate)
        #expect(second.suffix(3) == [.start(2), .append(2, rest), .end(2)])
        _ = driver.report(text("Second.", isFinal: true))
        #expect(driver.policy.isSettled(through: asked) && !driver.policy.isSettled(through: driver.position))
        let third = driver.hear(1, speech: true)
        #expect(third.first == .start(3), "what came later is not lost")
        guard case .append(3, let samples)? = third.dropFirst().first else {
            Issue.record("no audio")
            return
        }
        #expect(samples.count >= 3 * PolicyDriver.rate)
    }

    @Test mutating func speechBeforeTheNextTaskMayStartIsHeardWhenItsTextIsAskedFor() {
        _ = driver.hear(0.1, speech: true)
        _ = driver.report(.noSpeech)
        #expect(driver.hear(0.5, speech: true).isEmpty, "a second has not passed")
        #expect(driver.finalize().last == .end(2))
        #expect(driver.finalize().isEmpty)
        _ = driver.report(text("Yes.", isFinal: true))
        #expect(driver.policy.isSettled(through: driver.position))
    }

    @Test mutating func silenceIsSettled() {
        _ = driver.hear(5, speech: false)
        #expect(driver.finalize().isEmpty && driver.policy.isSettled(through: driver.position))
        _ = driver.hear(0.3, speech: true)
        #expect(driver.policy.hasTask)
        #expect(driver.policy.isSettled(through: 5 * PolicyDriver.rate), "its speech began later")
    }

    @Test mutating func clearingForgetsTheAudioAndTheNextSpeechIsHeard() throws {
        _ = driver.hear(56, speech: true)
        let cleared = driver.position
        #expect(driver.policy.clear() == [.cancel(1)])
        #expect(driver.policy.take(text("Secret.", isFinal: true), from: 1).isEmpty)
        #expect(driver.hear(1, speech: true).first == .start(2))
        let phrase = try #require(phrases(driver.report(text("Open.", isFinal: true))).first)
        #expect(phrase.start == Double(cleared) / 16_000)
    }

    @Test mutating func finishingWaitsForTheLastText() {
        _ = driver.hear(5, speech: true)
        #expect(driver.finish() == [.end(1)])
        let actions = driver.report(text("Bye.", isFinal: true))
        #expect(texts(actions) == ["Bye."] && actions.last == .finished)
        #expect(driver.hear(5, speech: true).isEmpty)
    }

    @Test mutating func finishingWithoutSpeechEndsAtOnce() {
        _ = driver.hear(5, speech: false)
        #expect(driver.finish() == [.finished])
        #expect(driver.finish().isEmpty)
    }

    @Test mutating func speechThatCameWhileATaskEndedIsHeardBeforeTheEnd() {
        _ = driver.hear(56, speech: true)
        #expect(driver.finish().isEmpty)
        let actions = driver.report(text("First.", isFinal: true))
        #expect(actions.contains(.start(2)) && actions.last == .end(2))
        #expect(driver.report(text("Second.", isFinal: true)).last == .finished)
    }
}
