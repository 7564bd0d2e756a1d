import StenoCore
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAppleSpeech

struct PhraseTranslationTests {
    private var translation = PhraseTranslation()

    private func read(_ phrases: [RecognizedPhrase], finish: Bool = true) -> LiveTranscript {
        var translation = PhraseTranslation()
        let events = phrases.flatMap { translation.apply($0, position: $0.end) }
        return apply(events + (finish ? translation.finish(position: 100) : []))
    }

    private func apply(_ events: [TranscriptionEvent]) -> LiveTranscript {
        events.reduce(into: LiveTranscript()) { $0.apply($1) }
    }

    private func guess(_ text: String, _ start: Double, _ end: Double) -> RecognizedPhrase {
        RecognizedPhrase(text, start: start, end: end, isFinal: false)
    }

    private func final(_ text: String, _ start: Double, _ end: Double, words: [Word] = []) -> RecognizedPhrase {
        RecognizedPhrase(text, start: start, end: end, words: words, isFinal: true)
    }

    @Test func guessesAreReplacedAndKeepTheirIdWhenFinal() {
        let partial = read([guess("Good", 0, 1), guess("Good mourning", 0, 2)], finish: false)
        #expect(partial.finals.isEmpty && partial.text == "Good mourning")
        #expect(partial.partials.map(\.id) == [0])
        let live = read([guess("Good", 0, 1), guess("Good mourning", 0, 2), final("Good morning.", 0, 2)])
        #expect(live.text == "Good morning." && live.finals.map(\.id) == [0] && live.partials.isEmpty)
        // An empty text withdraws a guess.
        let withdrawn = read([final("One.", 0, 1), guess("uh", 1, 2), guess("", 1, 2)], finish: false)
        #expect(withdrawn.text == "One." && withdrawn.partials.isEmpty)
    }

    @Test func aFinalTextLeavesTheGuessAfterItWhichIsFinalAtTheEnd() {
        let live = read([guess("one", 0, 1), guess("two", 1, 2), final("One.", 0, 1)], finish: false)
        #expect(live.finalText == "One." && live.partialText == " two")
        #expect(live.segments.map(\.id) == [0, 1] && live.segments.map(\.isFinal) == [true, false])
        let ended = read([final("One.", 0, 1), guess("two", 1, 2)])
        #expect(ended.finalText == "One. two" && ended.finals.allSatisfy(\.isFinal))
    }

    @Test func aPauseOfASecondBeginsAnUtteranceAndTimesNeverGoBack() {
        let live = read([final("One.", 0, 1), final("Two.", 1.5, 2), final("Three.", 3.5, 4)])
        #expect(live.finals.map(\.utterance) == [0, 0, 1])
        let back = read([final("One.", 0, 2), final("Two.", 1.5, 1.8), final("Three.", 1.9, 3)])
        for (first, second) in zip(back.finals, back.finals.dropFirst()) { #expect(first.end <= second.start) }
        #expect(back.finals.allSatisfy { $0.start <= $0.end })
    }

    @Test func spacesStandWhereTheScriptHasThemAndWordsKeepTheirTimes() {
        #expect(read([final("Good", 0, 1), final(" morning.", 1, 2)]).finalText == "Good morning.")
        #expect(read([final("今日は", 0, 1), final("いい天気", 1, 2), final("。", 2, 3)]).finalText == "今日はいい天気。")
        #expect(read([final("สวัสดี", 0, 1), final("ครับ", 1, 2)]).finalText == "สวัสดีครับ")
        let words = [Word(rawText: "Good", start: 0.2, end: 0.6, probability: 0.9)]
        let live = read([final("Good", 0.2, 0.6, words: words)])
        #expect(live.finals.first?.words == [Word(rawText: " Good", start: 0.2, end: 0.6, probability: 0.9)])
    }

    /// Punctuation that is reported by itself comes with the next word, or with the end of the utterance.
    @Test mutating func noFinalTextIsPunctuationAlone() {
        let word = Word(rawText: " you", start: 2, end: 3, probability: 1)
        var events = translation.apply(final("Hello", 0, 1), position: 1)
        events += translation.apply(guess(",", 1, 2), position: 2)
        events += translation.apply(final(",", 1, 2), position: 2)
        events += translation.apply(final("you", 2, 3, words: [word]), position: 3)
        events += translation.apply(final("?", 3, 3.5), position: 4)
        events += translation.apply(final("Yes", 5, 6), position: 6)
        events += translation.apply(final(".", 6, 6.5), position: 7)
        events += translation.finish(position: 8)
        #expect(events.filter { $0.kind == .final }.map(\.text) == [" Hello", ", you", " Yes"])
        #expect(events.filter { $0.kind == .utteranceEnd }.map(\.text) == ["?", "."])
        let live = apply(events)
        #expect(live.finalText == "Hello, you? Yes." && live.partials.isEmpty)
        #expect(live.finals[1].words.map(\.rawText) == [",", " you?"])
    }

    @Test mutating func textThatWasMadeFinalEarlyIsNotRepeated() {
        var events = translation.apply(guess("Good morning", 0, 2), position: 2)
        events += translation.promote(through: 2, position: 2)
        events += translation.apply(final("Good morning.", 0, 2), position: 3)
        events += translation.apply(final("Next.", 2, 3), position: 3)
        let live = apply(events)
        #expect(live.finalText == "Good morning Next.")
        #expect(live.finals.map(\.id) == [0, 1])
    }

    @Test mutating func clearedAudioGivesNoMoreText() {
        _ = translation.apply(guess("secret", 0, 2), position: 2)
        translation.clear(before: 2)
        #expect(translation.apply(final("Secret.", 0, 2), position: 3).isEmpty)
        #expect(translation.apply(final("Open.", 2.1, 3), position: 3).map(\.text) == [" Open."])
    }

    /// Words of a second each.
    private func timed(_ text: String, isFinal: Bool) -> RecognizedPhrase {
        let words = paced(text)
        return RecognizedPhrase(text, start: 0, end: Double(words.count), words: words, isFinal: isFinal)
    }

    @Test mutating func aGuessIsCutWhereItsTextIsAskedFor() {
        var live = LiveTranscript()
        func apply(_ events: [TranscriptionEvent]) { for event in events { live.apply(event) } }
        apply(translation.apply(timed("one two three four", isFinal: false), position: 4))
        apply(translation.promote(through: 2, position: 4))
        #expect(live.finalText == "one two" && live.partialText == " three four")
        #expect(live.finals.last?.end == 2)
        apply(translation.apply(timed("one too three for five", isFinal: true), position: 5))
        #expect(live.text == "one two three for five", "late text is not repeated, new text is not lost")
        #expect(live.finals.last?.words.map(\.rawText) == [" three", " for", " five"])
    }

    @Test mutating func aGuessWithoutWordTimesBecomesFinalAsAWhole() {
        var events = translation.apply(guess("one two", 0, 4), position: 4)
        events += translation.promote(through: 2, position: 4)
        events += translation.apply(final("One, two. Three", 0, 6), position: 6)
        let live = apply(events)
        #expect(live.finalText == "one two Three")
    }

    @Test func speechDuringAClearIsCutThereAndNotLost() {
        for isTimed in [true, false] {
            var translation = PhraseTranslation()
            var live = LiveTranscript()
            func phrase(_ words: String, isFinal: Bool) -> RecognizedPhrase {
                var phrase = timed(words, isFinal: isFinal)
                if !isTimed { phrase.words = [] }
                return phrase
            }
            _ = translation.apply(phrase("my secret", isFinal: false), position: 2)
            translation.clear(before: 2)
            var events = translation.apply(phrase("my secrets are open", isFinal: false), position: 4)
            events += translation.apply(phrase("My secret is out now.", isFinal: true), position: 5)
            for event in events { live.apply(event) }
            #expect(live.text.hasSuffix("is out now."), "\(isTimed)")
            #expect(!live.text.lowercased().contains("secret"), "\(isTimed)")
        }
    }

    @Test func textOfWhichNothingWasKnownIsCutAtTheClear() {
        for phrase in [timed("a secret said aloud", isFinal: true), final("a secret said aloud", 0, 4)] {
            var translation = PhraseTranslation()
            translation.clear(before: 2)
            #expect(translation.apply(phrase, position: 4).map(\.text) == [" said aloud"])
        }
    }
}
