import StenoTestSupport
import Testing

@testable import StenoAppleSpeech

struct RecognitionTaskPolicyTests {
    private var driver = PolicyDriver()

    @Test mutating func silenceStartsNoTaskAndSpeechOneWithTheAudioBeforeIt() {
        #expect(driver.hear(600, speech: false).isEmpty)
        #expect(driver.started.isEmpty)
        _ = driver.hear(3, speech: false)
        let actions = driver.hear(0.1, speech: true)
        let silence = [Float](repeating: 0, count: PolicyDriver.rate / 2)
        let speech = [Float](repeating: 0.5, count: PolicyDriver.rate / 10)
        #expect(actions == [.start(1), .append(1, silence + speech)])
    }

    @Test mutating func aTaskEndsAtAPauseAfterFortySecondsOrAtFiftyFive() {
        _ = driver.hear(39, speech: true)
        #expect(!driver.hear(0.5, speech: false).contains(.end(1)), "not yet")
        _ = driver.hear(1, speech: true)
        #expect(driver.hear(0.1, speech: false).contains(.end(1)))
        driver = PolicyDriver()
        #expect(driver.hear(54, speech: true).contains(.end(1)) == false)
        #expect(driver.hear(2, speech: true).contains(.end(1)))
    }

    @Test mutating func speechWhileATaskEndsIsHeardByTheNext() {
        _ = driver.hear(56, speech: true)
        let kept = driver.hear(2, speech: true)
        #expect(kept.isEmpty, "one task at a time")
        let actions = driver.report(text("All of it.", isFinal: true))
        #expect(texts(actions) == ["All of it."])
        #expect(actions.contains(.start(2)))
        // 55 seconds went to the first task.
        #expect(actions.last == .append(2, [Float](repeating: 0.5, count: 3 * PolicyDriver.rate)))
    }

    @Test mutating func anHourOfSpeechLosesNothing() {
        var received = 0
        for second in 0..<3600 {
            var actions = driver.hear(1, speech: second % 7 != 0)
            if actions.contains(where: { if case .end = $0 { true } else { false } }) {
                actions += driver.report(text("text", isFinal: true))
            }
            for case .append(_, let samples) in actions { received += samples.count }
        }
        // The first second is silent: half of it is kept.
        #expect(received == 3600 * PolicyDriver.rate - PolicyDriver.rate / 2)
        #expect(driver.started.count < 3600 / 39)
    }

    @Test mutating func threeFailuresInARowEndTheSessionAndNoTaskFollows() {
        for failure in 1...RecognitionTaskPolicy.failureLimit {
            _ = driver.hear(5, speech: true)
            let actions = driver.report(.failed("Broken."))
            #expect(actions.contains(.fail("Broken.")) == (failure == RecognitionTaskPolicy.failureLimit))
        }
        #expect(driver.policy.hasEnded)
        #expect(driver.hear(60, speech: true).isEmpty)
        #expect(driver.started.count == RecognitionTaskPolicy.failureLimit)
    }

    @Test mutating func failuresAfterOrBetweenTextsDoNotCountAndTheTextStays() {
        for _ in 0..<10 {
            _ = driver.hear(5, speech: true)
            _ = driver.report(text("heard", isFinal: false))
            #expect(texts(driver.report(.failed("Broken."))) == ["heard"])
        }
        #expect(!driver.policy.hasEnded)
        driver = PolicyDriver()
        for round in 0..<3 {
            for _ in 1..<RecognitionTaskPolicy.failureLimit {
                _ = driver.hear(5, speech: true)
                _ = driver.report(.failed("Busy."))
            }
            _ = driver.hear(5, speech: true)
            #expect(texts(driver.report(text("heard \(round)", isFinal: true))) == ["heard \(round)"])
        }
        #expect(!driver.policy.hasEnded)
    }

    @Test mutating func aRecogniserThatHearsNothingGetsOneTaskInASecondAtMost() {
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

    @Test mutating func aLongGapEndsTheTaskAndAShortOneIsSilence() {
        _ = driver.hear(2, speech: true)
        driver.position += PolicyDriver.rate / 2
        #expect(driver.hear(0.1, speech: true).first == .append(1, [Float](repeating: 0, count: PolicyDriver.rate / 2)))
        driver.position += 3600 * PolicyDriver.rate
        #expect(driver.hear(0.1, speech: true).first == .end(1))
    }

    @Test mutating func speechBeforeAndAfterALongGapKeepsItsTimes() throws {
        _ = driver.hear(56, speech: true)
        let gap = driver.position
        driver.position += 3600 * PolicyDriver.rate
        _ = driver.hear(2, speech: true)
        let second = driver.report(text("First.", isFinal: true))
        #expect(second.last == .end(2), "the gap ends the task")
        let phrase = try #require(phrases(driver.report(text("Second.", isFinal: true))).first)
        #expect(phrase.start == 55 && phrase.end == Double(gap) / 16_000)
        _ = driver.hear(1, speech: true)
        let last = try #require(phrases(driver.report(text("Third.", isFinal: true))).first)
        #expect(last.start == Double(gap) / 16_000 + 3600 && last.end == last.start + 3)
    }

    @Test mutating func theAudioOfATaskThatFailedWithoutTextIsHeardByTheNext() {
        _ = driver.hear(3, speech: true)
        let actions = driver.report(.failed("Busy."))
        #expect(actions == [.start(2), .append(2, [Float](repeating: 0.5, count: 3 * PolicyDriver.rate))])
        #expect(driver.report(.failed("Busy.")).isEmpty, "audio that no task can hear does not end the session")
        let next = driver.hear(1, speech: true)
        #expect(next.first == .start(3))
    }

    @Test func onlyTheAudioOfAFailureIsGivenUpAfterTheSecondTask() {
        for answer in [text("", isFinal: true), .noSpeech] {
            var driver = PolicyDriver()
            _ = driver.hear(3, speech: true)
            _ = driver.report(.failed("Busy."))
            _ = driver.report(answer)
            #expect(driver.hear(1, speech: true).first == .start(3))
            _ = driver.report(.failed("Busy."))
            let next = driver.hear(1, speech: true)
            #expect(next.first == .start(4))
            #expect(next.last == .append(4, [Float](repeating: 0.5, count: 2 * PolicyDriver.rate)), "both seconds")
        }
    }

    @Test mutating func audioIsNotWelcomeForeverWhileATaskEnds() {
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
    @Test(arguments: seeds(200)) func noOrderOfEventsBreaksTheRules(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var driver = PolicyDriver()
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
        #expect(driver.started.count <= driver.position / PolicyDriver.rate + 2 + 3 * requests)
    }
}
