import Testing

@testable import Steno
@testable import StenoCore

/// How the words of a draft model continue the main model's text.
struct DraftTextTests {
    /// A text that keeps its state in expectations, which evaluate on a copy of a value.
    private final class Screen {
        var text = DraftText(LiveOptions())

        /// The text that a decoding of the draft shows; nil if it does not change.
        func draft(_ words: [LiveWord], to end: Double, heard: Double = 0) -> String? {
            shown(text.take(words, of: 0..<end.samples, utterance: 0, heardTo: heard.samples))
        }

        /// The text that an action of the main model shows.
        func main(_ action: LiveAction, heard: Double) -> String? {
            shown(text.joined([action], heardTo: heard.samples))
        }

        /// The text after the main model has heard more.
        func refreshed(heard: Double) -> String? { shown(text.refreshed(heardTo: heard.samples)) }

        private func shown(_ actions: [LiveAction]) -> String? {
            guard case .show(let words, _)? = actions.last else { return nil }
            return words.map(\.text).joined()
        }
    }

    private let screen = Screen()

    private func word(_ text: String, _ start: Double, _ end: Double, probability: Double = 1) -> LiveWord {
        LiveWord(UtteranceWord(text: " " + text, start: start, end: end, probability: probability), origin: 0)
    }

    @Test func theDraftContinuesTheMainModelsWords() {
        let (one, two, three) = (word("one", 0, 0.4), word("two", 0.5, 0.9), word("three", 1, 1.4))
        #expect(screen.draft([one], to: 0.5) == " one")
        #expect(screen.draft([one, two], to: 1) == " one two")
        #expect(screen.main(.show([word("One", 0.02, 0.42)], utterance: 0), heard: 0.5) == " One two")
        #expect(screen.draft([one, two, three], to: 1.5, heard: 0.5) == " One two three")
        #expect(
            screen.main(.commit([word("One", 0.02, 0.42)], utterance: 0), heard: 1) == nil,
            "final text is the main model's")
        #expect(screen.main(.show([word("two", 0.5, 0.9)], utterance: 0), heard: 1) == " two three")
    }

    /// A wrong word of the draft stays until the main model replaces it: one change.
    @Test func onlyTheMainModelChangesShownWords() {
        #expect(screen.draft([word("won", 0, 0.4)], to: 0.5) == " won")
        #expect(screen.draft([word("one", 0, 0.4)], to: 0.7) == nil)
        #expect(screen.draft([word("one", 0, 0.4), word("two", 0.5, 0.9)], to: 1) == " won two")
        #expect(screen.main(.show([word("one", 0, 0.4)], utterance: 0), heard: 0.5) == " one two")
    }

    /// A word that may still grow, or of which the model is not sure, waits.
    @Test func wordsAreShownOnceTheyHaveEnded() {
        let doubtful = word("doubtful", 0, 0.4, probability: 0.5)
        #expect(screen.draft([word("grow", 0, 0.5)], to: 0.5) == nil)
        #expect(screen.draft([doubtful], to: 0.5) == nil)
        #expect(screen.draft([doubtful], to: 0.62) == " doubtful", "two decodings have it")
    }

    /// What the main model has heard and has no word for was not spoken.
    @Test func wordsThatTheMainModelDoesNotHaveVanish() {
        #expect(screen.draft([word("um", 0, 0.4), word("now", 0.9, 1.2)], to: 1.3) == " um now")
        #expect(screen.main(.show([word("now", 0.9, 1.2)], utterance: 0), heard: 1.3) == " now")
        #expect(screen.refreshed(heard: 3) == nil)
        #expect(
            screen.draft([word("um", 0, 0.4), word("now", 0.9, 1.2), word("er", 1.3, 1.6)], to: 1.7, heard: 1.3)
                == " now er")
        #expect(screen.refreshed(heard: 3) == " now")
    }

    /// The full stop at the end of a draft is a guess.
    @Test func theLastWordHasNoFullStop() {
        #expect(screen.draft([word("It", 0, 0.2), word("rains.", 0.3, 0.6)], to: 0.7) == " It rains")
        let more = [word("It", 0, 0.2), word("rains.", 0.3, 0.6), word("Often.", 0.8, 1.2)]
        #expect(screen.draft(more, to: 1.3) == " It rains. Often")
    }

    /// Nothing is left for the next utterance.
    @Test func theTextEndsWithItsUtterance() {
        #expect(screen.draft([word("one", 0, 0.4)], to: 0.5) == " one")
        #expect(screen.main(.endUtterance(0), heard: 0.5) == nil)
        #expect(screen.main(.show([word("two", 2, 2.4)], utterance: 1), heard: 2.5) == " two")
    }
}
