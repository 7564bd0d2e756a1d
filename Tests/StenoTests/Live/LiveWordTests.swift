import Testing

@testable import Steno
@testable import StenoCore

struct LiveWordTests {
    /// A text as words of a quarter of a second; `*` marks one with a tenth of a second, `?` an improbable one.
    private func words(_ text: String) -> [LiveWord] {
        var time = 0.0
        return text.split(separator: " ").map { written in
            let spoken = written.filter { !"*?".contains($0) }
            let (start, duration) = (time, written.contains("*") ? 0.1 : 0.25)
            time += duration
            return LiveWord(
                UtteranceWord(
                    text: " " + spoken, tokens: [1], start: start, end: time,
                    probability: written.contains("?") ? 0.44 : 0.9),
                origin: 16_000)
        }
    }

    private func text(_ words: [LiveWord]) -> String { words.map(\.text).joined().dropFirst().description }

    /// What base wrote where speech begins: "Thank thank you", the second for 0.12 s with a probability of 0.44.
    @Test(arguments: [
        ("thank thank*? you", "thank you"), ("Thank , thank*? you", "Thank , you"),
        ("being being*? being*? late", "being late"),
    ])
    func aRepetitionThatNobodySpokeIsRemoved(heard: String, kept: String) {
        #expect(text(words(heard).withoutRepetitions(after: nil)) == kept)
    }

    @Test func theLastFinalWordCounts() {
        #expect(text(words("you*? watch").withoutRepetitions(after: "you")) == "watch")
        #expect(text(words("you*? watch").withoutRepetitions(after: "attention")) == "you watch")
    }

    /// People do say words twice: then there is time for both, or the model is sure.
    @Test(arguments: ["no no? no", "that that* is", "you*? watch you*?", "very*? much"])
    func whatMayHaveBeenSpokenStays(heard: String) {
        #expect(words(heard).withoutRepetitions(after: nil) == words(heard))
    }
}
