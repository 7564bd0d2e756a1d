import StenoCore
import StenoTestSupport
import Testing

@testable import StenoAppleSpeech

/// The text of a task, and what was made final before its end.
struct TaskTextTests {
    private var driver = PolicyDriver()

    @Test(arguments: ["then coffee", "add two teas and a cake then coffee"])
    mutating func textThatBeginsAnewAfterAPauseIsNotLost(_ last: String) throws {
        driver.pause(after: "add two teas and a cake")
        let restarted = driver.report(text("then", isFinal: false))
        #expect(texts(restarted) == ["add two teas and a cake"])
        let kept = try #require(phrases(restarted).first), guess = try #require(phrases(restarted).last)
        #expect(kept.end == 3 && guess.start == 3 && guess.text == "then")
        _ = driver.finish()
        let end = texts(driver.report(text(last, isFinal: true)))
        #expect(end.map { $0.trimmingPrefix(" ") } == ["then coffee"], "whether or not the final text has all of it")
    }

    /// Nothing arrives between the guesses: all audio has come at once.
    @Test mutating func textThatBeginsAnewIsFoundInAudioThatCameAtOnce() throws {
        _ = driver.hear(3, speech: true)
        _ = driver.hear(2, speech: false)
        _ = driver.hear(5, speech: true)
        _ = driver.report(text("add two teas and a cake", isFinal: false))
        let restarted = driver.report(text("then", isFinal: false))
        #expect(texts(restarted) == ["add two teas and a cake"])
        let kept = try #require(phrases(restarted).first), guess = try #require(phrases(restarted).last)
        #expect(kept.end == 3 && guess.start == 3, "the pause in the audio counts, not the arrival")
    }

    @Test mutating func textThatBeginsAnewIsFoundAlsoIfTheGuessIsReportedAgainInThePause() {
        _ = driver.hear(3, speech: true)
        _ = driver.report(text("add two teas and a cake", isFinal: false))
        _ = driver.hear(2, speech: false)
        #expect(texts(driver.report(text("add two teas and a cake", isFinal: false))).isEmpty)
        _ = driver.hear(1, speech: true)
        #expect(texts(driver.report(text("then", isFinal: false))) == ["add two teas and a cake"])
    }

    @Test mutating func aCorrectionIsNoNewText() {
        _ = driver.hear(3, speech: true)
        _ = driver.report(text("wreck a nice beach", isFinal: false))
        #expect(texts(driver.report(text("speech", isFinal: false))).isEmpty, "there was no pause")
        _ = driver.report(text("speech is hard to hear", isFinal: false))
        _ = driver.hear(2, speech: false)
        #expect(texts(driver.report(text("Speech", isFinal: false))).isEmpty, "it begins with the same word")
    }

    @Test(arguments: ["Add two tease, and a cake, then coffee.", "add two teas and a cake then coffee."])
    mutating func aFinalTextThatCorrectsWhatWasMadeFinalDoesNotRepeatIt(_ last: String) {
        driver.pause(after: "add two teas and a cake")
        _ = driver.report(text("then", isFinal: false))
        let end = driver.report(text(last, isFinal: true))
        #expect(texts(end).map { $0.trimmingPrefix(" ") } == ["then coffee."])
    }

    @Test mutating func theWordsOfWhatWasMadeFinalAreLeftOutToo() throws {
        driver.pause(after: "good morning to you")
        _ = driver.report(text("bye", isFinal: false))
        let words = paced("Good morning to you. Bye.", each: 0.5, gap: 0.5)
        let actions = driver.report(.text("Good morning to you. Bye.", words: words, isFinal: true))
        let phrase = try #require(phrases(actions).first)
        #expect(phrase.text == " Bye." && phrase.words.map(\.rawText) == [" Bye."] && phrase.start == 4)
    }

    @Test mutating func timesCountFromTheStartOfTheAudio() throws {
        _ = driver.hear(10, speech: false)
        _ = driver.hear(5, speech: true)
        let words = [Word(rawText: " Hi", start: 0.6, end: 1, probability: 1)]
        let actions = driver.report(.text("Hi", words: words, isFinal: true))
        let phrase = try #require(phrases(actions).first)
        #expect(phrase.words.map(\.start) == [10.1] && phrase.start == 10.1 && phrase.end == 10.5)
    }
}

struct RepeatedTextTests {
    @Test(
        arguments: [
            // Capitals and punctuation make no difference, nor does a corrected word.
            ("Good morning, everyone. How are you?", "good morning everyone", " How are you?"),
            ("Good morning everyone.", "good morning everyone", ""),
            ("Add two tease and a cake. Then go.", "add two teas and a cake", " Then go."),
            ("Add two teas and a cape then go", "add two teas and a cake", " then go"),
            ("then coffee", "add two teas and a cake", nil), ("no", "yes", nil), ("", "yes", nil), ("yes", "", nil),
            // Scripts without spaces are compared by character.
            ("今日は、いい天気です。明日も", "今日はいい天気です", "明日も"),
        ] as [(String, String, String?)]) func theRestFollowsARepetition(text: String, earlier: String, rest: String?)
    {
        #expect(RepeatedText.end(of: earlier, in: text).map { String(text[$0...]) } == rest)
    }

    @Test func aTextIsCutAfterLetters() {
        let text = "Hello, world. Bye"
        #expect(text[..<RepeatedText.index(in: text, afterLetters: 5)] == "Hello,")
        #expect(text[..<RepeatedText.index(in: text, afterLetters: 10)] == "Hello, world.")
        #expect(text[..<RepeatedText.index(in: text, afterLetters: 99)] == text)
        #expect(text[..<RepeatedText.end(of: 0.7, in: text)] == "Hello, world.")
    }
}

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

    @Test mutating func finishingWaitsForTheLastTextOfAllSpeech() {
        _ = driver.hear(5, speech: true)
        #expect(driver.finish() == [.end(1)])
        let actions = driver.report(text("Bye.", isFinal: true))
        #expect(texts(actions) == ["Bye."] && actions.last == .finished)
        #expect(driver.hear(5, speech: true).isEmpty)
        driver = PolicyDriver()
        _ = driver.hear(5, speech: false)
        #expect(driver.finish() == [.finished])
        #expect(driver.finish().isEmpty)
        driver = PolicyDriver()
        _ = driver.hear(56, speech: true)
        #expect(driver.finish().isEmpty)
        let next = driver.report(text("First.", isFinal: true))
        #expect(next.contains(.start(2)) && next.last == .end(2))
        #expect(driver.report(text("Second.", isFinal: true)).last == .finished)
    }
}
