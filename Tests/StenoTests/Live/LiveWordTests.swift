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
                    text: " " + spoken, handle: [1], start: start, end: time,
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

    @Test func theLastFinalWordCountsToo() {
        #expect(text(words("you*? watch").withoutRepetitions(after: "you")) == "watch")
        #expect(text(words("you*? watch").withoutRepetitions(after: "attention")) == "you watch")
    }

    /// People do repeat words: then there is time for both, or the model is sure.
    @Test(arguments: ["no no? no", "that that* is", "you*? watch you*?", "very*? much"])
    func wordsThatMayHaveBeenSpokenStay(heard: String) {
        #expect(words(heard).withoutRepetitions(after: nil) == words(heard))
    }

    /// No part of a compound or contraction is final before the rest of its word.
    @Test(arguments: [
        ([" rose", "-breast", " and"], 1, 0), ([" a", " rose", "-breast", " and"], 2, 1),
        ([" a", " rose", "-breast", " and"], 3, 3), ([" she", "'ll", " go"], 1, 0), ([" one", ",", " two"], 1, 1),
        ([" one", " two"], 2, 2), ([" one", "."], 1, 1), ([" one", " \"", "two"], 1, 1), (["今日", "は", "雨"], 1, 1),
    ])
    func noWordIsFinalInPart(texts: [String], count: Int, whole: Int) {
        let words = texts.map { LiveWord(UtteranceWord(text: $0, handle: [1], start: 0, end: 1), origin: 0) }
        #expect(words[...].wholeWords(count) == whole)
    }

    /// The alignment gives a text's last word the rest of the audio, but nobody speaks that slowly.
    @Test func aWordEndsInTime() {
        func end(_ text: String) -> Double {
            LiveWord(UtteranceWord(text: text, handle: [1], start: 1, end: 9), origin: 0).end.seconds
        }
        #expect(end(" a") < 2 && end(" uncharacteristically") > 3 && end(" 1961") > 2.5)
        #expect(LiveWord(UtteranceWord(text: " a", handle: [1], start: 1, end: 1.2), origin: 0).end == 1.2.samples)
    }
}
