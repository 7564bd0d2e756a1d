import StenoCore
import StenoTestSupport
import Testing

@testable import StenoAppleSpeech

struct RecognitionTaskPolicyTests {
    private static let rate = 16_000

    /// A policy with the audio given to it, in tenths of a second.
    private struct Driver {
        var policy = RecognitionTaskPolicy()
        var position = 0
        var started: [Int] = []

        mutating func hear(_ seconds: Double, speech: Bool) -> [RecognitionTaskPolicy.Action] {
            var actions: [RecognitionTaskPolicy.Action] = []
            for _ in 0..<Int((seconds * 10).rounded()) {
                let samples = [Float](repeating: speech ? 0.5 : 0, count: rate / 10)
                actions += policy.append(samples, at: position, isSpeech: speech)
                position += samples.count
            }
            note(actions)
            return actions
        }

        mutating func report(_ report: RecognitionTaskPolicy.Report) -> [RecognitionTaskPolicy.Action] {
            let actions = policy.take(report, from: started.last ?? 0)
            note(actions)
            return actions
        }

        /// The end of all audio, or an earlier position.
        mutating func finalize(through position: Int = .max) -> [RecognitionTaskPolicy.Action] {
            let actions = policy.finalize(through: position)
            note(actions)
            return actions
        }

        mutating func finish() -> [RecognitionTaskPolicy.Action] {
            let actions = policy.finish()
            note(actions)
            return actions
        }

        mutating func note(_ actions: [RecognitionTaskPolicy.Action]) {
            for case .start(let task) in actions { started.append(task) }
        }
    }

    private func texts(_ actions: [RecognitionTaskPolicy.Action]) -> [String] {
        actions.compactMap { if case .phrase(let phrase) = $0, phrase.isFinal { phrase.text } else { nil } }
    }

    private func text(_ text: String, isFinal: Bool) -> RecognitionTaskPolicy.Report {
        .text(text, words: [], isFinal: isFinal)
    }

    @Test func silenceStartsNoTask() {
        var driver = Driver()
        #expect(driver.hear(600, speech: false).isEmpty)
        #expect(driver.started.isEmpty)
    }

    @Test func speechStartsATaskWithTheAudioBeforeIt() {
        var driver = Driver()
        _ = driver.hear(3, speech: false)
        let actions = driver.hear(0.1, speech: true)
        #expect(actions.first == .start(1))
        guard case .append(1, let samples)? = actions.last else {
            Issue.record("no audio")
            return
        }
        #expect(samples.count == Self.rate / 2 + Self.rate / 10)
    }

    @Test func aTaskEndsAtAPauseAfterFortySecondsOrAtFiftyFive() {
        var driver = Driver()
        _ = driver.hear(39, speech: true)
        #expect(!driver.hear(0.5, speech: false).contains(.end(1)), "not yet")
        _ = driver.hear(1, speech: true)
        #expect(driver.hear(0.1, speech: false).contains(.end(1)))
        driver = Driver()
        #expect(driver.hear(54, speech: true).contains(.end(1)) == false)
        #expect(driver.hear(2, speech: true).contains(.end(1)))
    }

    @Test func speechWhileATaskEndsIsHeardByTheNext() {
        var driver = Driver()
        _ = driver.hear(56, speech: true)
        let kept = driver.hear(2, speech: true)
        #expect(kept.isEmpty, "one task at a time")
        let actions = driver.report(text("All of it.", isFinal: true))
        #expect(texts(actions) == ["All of it."])
        #expect(actions.contains(.start(2)))
        // 55 seconds went to the first task.
        #expect(actions.last == .append(2, [Float](repeating: 0.5, count: 3 * Self.rate)))
    }

    @Test func anHourOfSpeechLosesNothing() {
        var driver = Driver()
        var received = 0
        for second in 0..<3600 {
            var actions = driver.hear(1, speech: second % 7 != 0)
            if actions.contains(where: { if case .end = $0 { true } else { false } }) {
                actions += driver.report(text("text", isFinal: true))
            }
            for case .append(_, let samples) in actions { received += samples.count }
        }
        // The first second is silent: half of it is kept.
        #expect(received == 3600 * Self.rate - Self.rate / 2)
        #expect(driver.started.count < 3600 / 39)
    }

    @Test func threeFailuresInARowEndTheSessionAndNoTaskFollows() {
        var driver = Driver()
        for failure in 1...RecognitionTaskPolicy.failureLimit {
            _ = driver.hear(5, speech: true)
            let actions = driver.report(.failed("Broken."))
            #expect(actions.contains(.fail("Broken.")) == (failure == RecognitionTaskPolicy.failureLimit))
        }
        #expect(driver.policy.hasEnded)
        #expect(driver.hear(60, speech: true).isEmpty)
        #expect(driver.started.count == RecognitionTaskPolicy.failureLimit)
    }

    @Test func failuresAfterTextDoNotCountAndTheTextStays() {
        var driver = Driver()
        for _ in 0..<10 {
            _ = driver.hear(5, speech: true)
            _ = driver.report(text("heard", isFinal: false))
            #expect(texts(driver.report(.failed("Broken."))) == ["heard"])
        }
        #expect(!driver.policy.hasEnded)
    }

    @Test func aRecogniserThatHearsNothingGetsOneTaskInASecondAtMost() {
        var driver = Driver()
        for _ in 0..<600 {
            _ = driver.hear(0.1, speech: true)
            _ = driver.report(.noSpeech)
        }
        #expect(driver.started.count <= 60)
        _ = driver.report(.noSpeech)
        _ = driver.hear(2, speech: false)
        _ = driver.report(.noSpeech)
        let count = driver.started.count
        _ = driver.hear(600, speech: false)
        #expect(driver.started.count == count, "without speech there are no more")
    }

    @Test(arguments: ["then coffee", "add two teas and a cake then coffee"])
    func textThatBeginsAnewAfterAPauseIsNotLost(_ last: String) {
        var driver = Driver()
        _ = driver.hear(3, speech: true)
        _ = driver.report(text("add two teas and a cake", isFinal: false))
        _ = driver.hear(2, speech: false)
        _ = driver.hear(1, speech: true)
        let anew = driver.report(text("then", isFinal: false))
        #expect(texts(anew) == ["add two teas and a cake"])
        guard case .phrase(let kept)? = anew.first, case .phrase(let guess)? = anew.last else {
            Issue.record("no phrases")
            return
        }
        #expect(kept.end == 3 && guess.start == 3 && guess.text == "then")
        _ = driver.policy.finish()
        let end = texts(driver.report(text(last, isFinal: true)))
        #expect(end.map { $0.trimmingPrefix(" ") } == ["then coffee"], "whether or not the final text has all of it")
    }

    @Test func aCorrectionIsNoNewText() {
        var driver = Driver()
        _ = driver.hear(3, speech: true)
        _ = driver.report(text("wreck a nice beach", isFinal: false))
        #expect(texts(driver.report(text("speech", isFinal: false))).isEmpty, "there was no pause")
        _ = driver.report(text("speech is hard to hear", isFinal: false))
        _ = driver.hear(2, speech: false)
        #expect(texts(driver.report(text("Speech", isFinal: false))).isEmpty, "it begins with the same word")
    }

    @Test func aTaskThatDoesNotEndIsCancelled() {
        var driver = Driver()
        _ = driver.hear(56, speech: true)
        #expect(driver.hear(31, speech: true).contains(.cancel(1)))
        #expect(driver.started == [1, 2])
        #expect(driver.policy.take(text("late", isFinal: true), from: 1).isEmpty, "what a cancelled task reports")
    }

    @Test func finishingWaitsForTheLastText() {
        var driver = Driver()
        _ = driver.hear(5, speech: true)
        #expect(driver.policy.finish() == [.end(1)])
        let actions = driver.report(text("Bye.", isFinal: true))
        #expect(texts(actions) == ["Bye."] && actions.last == .finished)
        #expect(driver.hear(5, speech: true).isEmpty)
    }

    @Test func finishingWithoutSpeechEndsAtOnce() {
        var driver = Driver()
        _ = driver.hear(5, speech: false)
        #expect(driver.policy.finish() == [.finished])
        #expect(driver.policy.finish().isEmpty)
    }

    @Test func speechThatCameWhileATaskEndedIsHeardBeforeTheEnd() {
        var driver = Driver()
        _ = driver.hear(56, speech: true)
        #expect(driver.policy.finish().isEmpty)
        let actions = driver.report(text("First.", isFinal: true))
        #expect(actions.contains(.start(2)) && actions.last == .end(2))
        #expect(driver.report(text("Second.", isFinal: true)).last == .finished)
    }

    @Test func timesCountFromTheStartOfTheAudio() {
        var driver = Driver()
        _ = driver.hear(10, speech: false)
        _ = driver.hear(5, speech: true)
        let words = [Word(word: " Hi", start: 0.6, end: 1, probability: 1)]
        let actions = driver.report(.text("Hi", words: words, isFinal: true))
        guard case .phrase(let phrase)? = actions.first else {
            Issue.record("no phrase")
            return
        }
        #expect(phrase.words.map(\.start) == [10.1] && phrase.start == 10.1 && phrase.end == 10.5)
    }

    @Test func aLongGapEndsTheTaskAndAShortOneIsSilence() {
        var driver = Driver()
        _ = driver.hear(2, speech: true)
        driver.position += Self.rate / 2
        #expect(driver.hear(0.1, speech: true).first == .append(1, [Float](repeating: 0, count: Self.rate / 2)))
        driver.position += 3600 * Self.rate
        #expect(driver.hear(0.1, speech: true).first == .end(1))
    }

    @Test(arguments: ["Add two tease, and a cake, then coffee.", "add two teas and a cake then coffee."])
    func aFinalTextThatCorrectsWhatWasMadeFinalDoesNotRepeatIt(_ last: String) {
        var driver = Driver()
        _ = driver.hear(3, speech: true)
        _ = driver.report(text("add two teas and a cake", isFinal: false))
        _ = driver.hear(2, speech: false)
        _ = driver.hear(1, speech: true)
        _ = driver.report(text("then", isFinal: false))
        let end = driver.report(text(last, isFinal: true))
        #expect(texts(end).map { $0.trimmingPrefix(" ") } == ["then coffee."])
    }

    @Test func theWordsOfWhatWasMadeFinalAreLeftOutToo() {
        var driver = Driver()
        _ = driver.hear(3, speech: true)
        _ = driver.report(text("good morning to you", isFinal: false))
        _ = driver.hear(2, speech: false)
        _ = driver.hear(1, speech: true)
        _ = driver.report(text("bye", isFinal: false))
        let words = ["Good", "morning", "to", "you.", "Bye."].enumerated().map { index, word in
            Word(word: " " + word, start: Double(index), end: Double(index) + 0.5, probability: 1)
        }
        let actions = driver.report(.text("Good morning to you. Bye.", words: words, isFinal: true))
        guard case .phrase(let phrase)? = actions.first else {
            Issue.record("no phrase")
            return
        }
        #expect(phrase.text == " Bye." && phrase.words.map(\.word) == [" Bye."] && phrase.start == 4)
    }

    /// Nothing arrives between the guesses: all audio has come at once.
    @Test func textThatBeginsAnewIsFoundInAudioThatCameAtOnce() {
        var driver = Driver()
        _ = driver.hear(3, speech: true)
        _ = driver.hear(2, speech: false)
        _ = driver.hear(5, speech: true)
        _ = driver.report(text("add two teas and a cake", isFinal: false))
        let anew = driver.report(text("then", isFinal: false))
        #expect(texts(anew) == ["add two teas and a cake"])
        guard case .phrase(let kept)? = anew.first, case .phrase(let guess)? = anew.last else {
            Issue.record("no phrases")
            return
        }
        #expect(kept.end == 3 && guess.start == 3, "the pause in the audio counts, not the arrival")
    }

    // MARK: Requests, gaps, failures

    @Test func textIsAskedForDuringSpeechThatContinuesWhileATaskEnds() {
        var driver = Driver()
        _ = driver.hear(56, speech: true)
        let asked = driver.position
        #expect(driver.finalize(through: asked).isEmpty, "the first task is ending already")
        _ = driver.hear(3, speech: true)
        let second = driver.report(text("First.", isFinal: true))
        #expect(!driver.policy.isSettled(through: asked))
        #expect(second.suffix(3) == [.start(2), .append(2, [Float](repeating: 0.5, count: Self.rate)), .end(2)])
        _ = driver.report(text("Second.", isFinal: true))
        #expect(driver.policy.isSettled(through: asked) && !driver.policy.isSettled(through: driver.position))
        let third = driver.hear(1, speech: true)
        #expect(third.first == .start(3), "what came later is not lost")
        guard case .append(3, let samples)? = third.dropFirst().first else {
            Issue.record("no audio")
            return
        }
        #expect(samples.count >= 3 * Self.rate)
    }

    @Test func speechBeforeTheNextTaskMayStartIsHeardWhenItsTextIsAskedFor() {
        var driver = Driver()
        _ = driver.hear(0.1, speech: true)
        _ = driver.report(.noSpeech)
        #expect(driver.hear(0.5, speech: true).isEmpty, "a second has not passed")
        #expect(driver.finalize().last == .end(2))
        #expect(driver.finalize().isEmpty)
        _ = driver.report(text("Yes.", isFinal: true))
        #expect(driver.policy.isSettled(through: driver.position))
    }

    @Test func silenceIsSettled() {
        var driver = Driver()
        _ = driver.hear(5, speech: false)
        #expect(driver.finalize().isEmpty && driver.policy.isSettled(through: driver.position))
        _ = driver.hear(0.3, speech: true)
        #expect(driver.policy.hasTask && driver.policy.isSettled(through: 5 * Self.rate), "its speech began later")
    }

    @Test func speechBeforeAndAfterALongGapKeepsItsTimes() {
        var driver = Driver()
        _ = driver.hear(56, speech: true)
        let gap = driver.position
        driver.position += 3600 * Self.rate
        _ = driver.hear(2, speech: true)
        let second = driver.report(text("First.", isFinal: true))
        #expect(second.last == .end(2), "the gap ends the task")
        guard case .phrase(let phrase)? = driver.report(text("Second.", isFinal: true)).first else {
            Issue.record("no phrase")
            return
        }
        #expect(phrase.start == 55 && phrase.end == Double(gap) / 16_000)
        _ = driver.hear(1, speech: true)
        guard case .phrase(let last)? = driver.report(text("Third.", isFinal: true)).first else {
            Issue.record("no phrase")
            return
        }
        #expect(last.start == Double(gap) / 16_000 + 3600 && last.end == last.start + 3)
    }

    @Test func theAudioOfATaskThatFailedWithoutTextIsHeardByTheNext() {
        var driver = Driver()
        _ = driver.hear(3, speech: true)
        let actions = driver.report(.failed("Busy."))
        #expect(actions == [.start(2), .append(2, [Float](repeating: 0.5, count: 3 * Self.rate))])
        #expect(driver.report(.failed("Busy.")).isEmpty, "audio that no task can hear does not end the session")
        let next = driver.hear(1, speech: true)
        #expect(next.first == .start(3))
    }

    @Test func clearingForgetsTheAudioAndTheNextSpeechIsHeard() {
        var driver = Driver()
        _ = driver.hear(56, speech: true)
        let cleared = driver.position
        #expect(driver.policy.clear() == [.cancel(1)])
        #expect(driver.policy.take(text("Secret.", isFinal: true), from: 1).isEmpty)
        #expect(driver.hear(1, speech: true).first == .start(2))
        guard case .phrase(let phrase)? = driver.report(text("Open.", isFinal: true)).first else {
            Issue.record("no phrase")
            return
        }
        #expect(phrase.start == Double(cleared) / 16_000)
    }

    @Test func audioIsNotWelcomeForeverWhileATaskEnds() {
        var driver = Driver()
        _ = driver.hear(54, speech: true)
        #expect(driver.policy.hasRoom)
        _ = driver.hear(25, speech: true)
        #expect(!driver.policy.hasRoom)
        _ = driver.report(text("All.", isFinal: true))
        #expect(driver.policy.hasRoom)
    }

    @Test func aTextAndAnErrorInOneCallAreBothReported() {
        let guess = text("good", isFinal: false), final = text("Good.", isFinal: true)
        let error = RecognitionTaskPolicy.Report.failed("x")
        #expect(RecognitionTaskPolicy.Report.all(guess, error) == [guess, error])
        #expect(RecognitionTaskPolicy.Report.all(final, error) == [final], "it has all that was said")
        #expect(RecognitionTaskPolicy.Report.all(nil, error) == [error])
    }

    /// Whatever happens in whatever order: one task at a time, no audio for a task that has ended, bounded starts.
    @Test(arguments: 0..<200) func noOrderOfEventsBreaksTheRules(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var driver = Driver()
        var current: Int?
        var hasEnded = false
        var requests = 0
        func check(_ actions: [RecognitionTaskPolicy.Action]) {
            for action in actions {
                #expect(!hasEnded, "nothing follows the end")
                switch action {
                case .start(let task):
                    #expect(current == nil)
                    current = task
                case .append(let task, _), .end(let task): #expect(task == current)
                case .cancel(let task):
                    #expect(task == current)
                    current = nil
                case .phrase: break
                case .finished, .fail: hasEnded = true
                }
            }
        }
        for _ in 0..<400 {
            switch random.next() % 8 {
            case 0...3: check(driver.hear(Double(random.next() % 30) / 10, speech: random.next() % 2 == 0))
            case 4: check(driver.report(text("partial", isFinal: false)))
            case 5:
                if driver.policy.hasTask { current = nil }
                check(driver.report([text("final", isFinal: true), .noSpeech, .failed("x")][Int(random.next() % 3)]))
            case 6:
                requests += 1
                check(driver.finalize())
                if driver.policy.hasEnded { break }
                var reports = 0
                while !driver.policy.isSettled(through: driver.position) {
                    reports += 1
                    current = nil
                    check(driver.report(text("final", isFinal: true)))
                    #expect(reports < 100, "what is asked for is settled as soon as the tasks have ended")
                    if reports >= 100 { break }
                }
            default:
                driver.position += Int(random.next() % 50_000)
                if random.next() % 10 == 0 {
                    check(driver.policy.clear())
                    current = nil
                }
                if random.next() % 50 == 0 { check(driver.finish()) }
            }
        }
        #expect(driver.started.count <= driver.position / Self.rate + 2 + 3 * requests)
    }
}
