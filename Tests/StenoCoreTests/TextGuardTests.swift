import StenoTestSupport
import Testing

@testable import StenoCore

/// Text that is removed, and text that must be kept.
@Suite final class TextGuardTests {
    private let sentence = "The captain ordered everyone to stay away from the railing."

    private var guards = TextGuard(GuardOptions())

    private func prompted(by prompt: String) -> TextGuard { TextGuard(GuardOptions(), prompts: [prompt]) }

    @Test func onlyTheFirstOfALoopStays() {
        let words = spoken(Array(repeating: sentence, count: 4).joined(separator: " ") + " Then it")
        let verdict = guards.check([words], speech: nil)
        #expect(verdict.kept(of: [words])[0].map(\.rawText).joined() == " " + sentence + " Then it")
        #expect(verdict.removed.map(\.action.kind) == [.repetition])
        #expect(verdict.removed[0].action.reason == "10 words, 4 times in a row")
    }

    @Test func loopsContinueAcrossWindowsAndFromRememberedWords() {
        var other = guards
        #expect(guards.check([spoken(sentence)], speech: nil).removed.isEmpty)
        #expect(guards.check([spoken(sentence, from: 30)], speech: nil).removed.isEmpty)
        #expect(guards.check([spoken(sentence, from: 60)], speech: nil).removedTexts == [" " + sentence])
        #expect(guards.check([spoken("Something else.", from: 90)], speech: nil).removed.isEmpty)
        other.remember(spoken(sentence))
        other.remember(spoken(sentence, from: 5))
        #expect(other.check([spoken(sentence, from: 10)], speech: nil).removedTexts == [" " + sentence])
    }

    /// Speech of words that are already final is no evidence for text that follows in silence.
    @Test func rememberedWordsKeepTheirSpeech() {
        let profile = SpeechProfile(speech: [9..<10.4], until: 20)
        let before = spoken("Now we go.", from: 9.7)
        let end = before.last?.end ?? 0
        let after = spoken("Bye.", from: max(10.6, end + 0.2))
        guards.remember(before)
        #expect(end >= 10.4)
        #expect(guards.check([after], speech: profile).removedTexts == [" Bye."])
        guards = TextGuard(GuardOptions())
        #expect(guards.check([after], speech: profile).removed.isEmpty, "without the words, the speech may be its own")
    }

    @Test func aLoopAcrossPassagesIsReportedForEach() {
        let passages = [spoken(sentence), spoken(sentence, from: 5), spoken(sentence, from: 10)]
        let verdict = guards.check(passages, speech: nil)
        #expect(verdict.removed.map(\.passage) == [1, 2])
        #expect(verdict.kept(of: passages).map(\.count) == [10, 0, 0])
    }

    @Test func textInSilenceIsRemoved() {
        let passages = [spoken("Hello there."), spoken("You know.", from: 20), spoken("And so on.", from: 40)]
        let verdict = guards.check(passages, speech: SpeechProfile(speech: [0..<1, 40..<41], until: 60))
        #expect(verdict.removedTexts == [" You know."])
        #expect(verdict.removed[0].action.kind == .noSpeech)
        #expect(verdict.removed[0].action.reason == "7 letters in 0.0 s of speech")
        #expect(verdict.removed[0].action.start == 20)
    }

    @Test func oneSentenceOfASegmentCanBeRemoved() {
        let words = spoken("That is all.") + spoken("Thank you.", from: 6)
        let verdict = guards.check([words], speech: SpeechProfile(speech: [0..<1], until: 9))
        #expect(verdict.kept(of: [words])[0].map(\.rawText) == [" That", " is", " all."])
    }

    /// Word times are accurate to some tenths of a second.
    @Test(arguments: [-0.4, 0.4]) func aWordMayBeNearItsSpeech(shift: Double) {
        let profile = SpeechProfile(speech: [10 + shift..<10.4 + shift], until: 20)
        #expect(guards.check([spoken("Yes.", from: 10)], speech: profile).removed.isEmpty)
    }

    @Test func speechOfOtherWordsDoesNotCount() {
        let words = spoken("This is what was said.") + spoken("Thank you.", from: 1.6)
        let verdict = guards.check([words], speech: SpeechProfile(speech: [0..<1.55], until: 20))
        #expect(verdict.removedTexts == [" Thank you."])
    }

    /// Alignment may give a word no duration.
    @Test func compressedWordsInSpeechAreKept() {
        let words = spoken("all of these words in no time", from: 5, perLetter: 0.001)
        #expect(guards.check([words], speech: SpeechProfile(speech: [0..<10], until: 10)).removed.isEmpty)
    }

    @Test func aRepetitionOfThePromptIsKeptIfThereIsSpeech() {
        let prompt = "Kowalczyk, Nguyen, Steno."
        let words = [spoken("Kowalczyk Nguyen, steno", from: 3)]
        var silent = prompted(by: prompt)
        let verdict = silent.check(words, speech: SpeechProfile(speech: [3..<3.6], until: 9))
        #expect(verdict.removed.map(\.action.kind) == [.promptRepetition])
        #expect(verdict.removed[0].action.reason.hasPrefix("a repetition of the prompt; 20 letters in 0.58 s"))
        // If there is enough speech for it, it is only suspected.
        var audible = prompted(by: prompt)
        let other = audible.check(words, speech: SpeechProfile(speech: [0..<9], until: 9))
        #expect(other.removed.isEmpty)
        #expect(other.suspects.map(\.action.text) == [" Kowalczyk Nguyen, steno"])
    }

    @Test func oneNameFromThePromptIsNotARepetition() {
        guards = prompted(by: "Kowalczyk, Nguyen, Steno.")
        let verdict = guards.check([spoken("Mister Nguyen said")], speech: SpeechProfile(speech: [0..<9], until: 9))
        #expect(verdict == GuardVerdict())
    }

    @Test func aRepetitionOfThePrecedingTextIsFound() {
        let profile = SpeechProfile(speech: [0..<4, 40..<44], until: 60)
        // Within a window too.
        var other = guards
        let both = [spoken(sentence), spoken(sentence, from: 20)]
        #expect(other.check(both, speech: profile).removed.map(\.passage) == [1])
        _ = guards.check([spoken(sentence)], speech: profile)
        let silent = guards.check([spoken(sentence, from: 20)], speech: profile)
        #expect(silent.removed.map(\.action.kind) == [.promptRepetition])
        let audible = guards.check([spoken("But " + sentence, from: 40)], speech: profile)
        #expect(audible.removed.isEmpty)
        #expect(audible.suspects.map(\.words) == [1..<11])
    }

    @Test(arguments: ["Thank you for watching!", "Untertitel der Amara.org-Community", "ご視聴ありがとうございました"])
    func aKnownHallucinationNeedsEnoughSpeech(line: String) {
        let letters = GuardedText.letters(in: spoken(line))
        let words = [spoken(line, from: 5, perLetter: letters / Double(line.count) / 15)]
        var hasty = guards, calm = guards
        let short = SpeechProfile(speech: [5..<5 + letters / 25], until: 20)
        #expect(hasty.check(words, speech: short).removed.map(\.action.kind) == [.knownHallucination])
        let long = SpeechProfile(speech: [5..<5 + letters / 12], until: 20)
        #expect(calm.check(words, speech: long) == GuardVerdict())
    }

    @Test func everyGuardCanBeTurnedOff() {
        let options = GuardOptions().with { ($0.repetition, $0.silence, $0.promptRepetition) = (false, false, false) }
        guards = TextGuard(options, prompts: [sentence])
        let words = spoken(Array(repeating: sentence, count: 4).joined(separator: " "))
        #expect(guards.check([words], speech: SpeechProfile(speech: [], until: 60)) == GuardVerdict())
    }

    @Test func optionsOutOfRangeAreRejected() {
        let changes: [(inout GuardOptions) -> Void] = [
            { $0.speechProbability = 2 }, { $0.mostLettersPerSecond = 0 }, { $0.mostRepeatedLettersPerSecond = .nan },
            { $0.repeats = 1 }, { $0.repeatedWords = 0 }, { $0.promptRepetitionWords = 0 },
        ]
        for change in changes {
            #expect(throws: StenoError.self) { try GuardOptions().with(change).validate() }
        }
        #expect(throws: Never.self) { try GuardOptions().validate() }
    }
}

extension GuardVerdict {
    fileprivate var removedTexts: [String] { removed.map(\.action.text) }
}
