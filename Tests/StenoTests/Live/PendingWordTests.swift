import Testing

@testable import Steno
@testable import StenoCore

/// The evidence that a word takes over from the decodings before.
struct PendingWordTests {
    /// Words with their starts in seconds, 0.2 s long.
    private func words(_ timed: (String, Double)...) -> [LiveWord] {
        timed.map { LiveWord(UtteranceWord(text: $0, handle: [], start: $1, end: $1 + 0.2), origin: 0) }
    }

    private func counts(_ decodings: [LiveWord]...) -> [Int] {
        var pending: [PendingWord] = []
        for (index, words) in decodings.enumerated() { pending = pending.updated(with: words, heardTo: index) }
        return pending.map(\.count)
    }

    @Test func decodingsThatAgreeAddUp() {
        let text = words((" one", 0), (" two", 0.3))
        #expect(counts(text, text, text) == [3, 3])
        #expect(counts(text, words((" one", 0), (" too", 0.3)), text) == [3, 1], "only in a row")
        let marked = words((" One", 0.1), (",", 0.3), (" two", 0.4))
        #expect(counts(text, marked) == [2, 1, 2], "without marks and capitals")
        let preceded = words((" a", 0), (" one", 0.2), (" two", 0.4))
        #expect(counts(text, preceded) == [1, 2, 2], "whatever precedes it")
    }

    @Test func theSameTextAtAnotherTimeIsAnotherWord() {
        #expect(counts(words((" no", 0)), words((" no", 1))) == [1])
    }

    /// "No, no": that there is one "no" says nothing about the other.
    @Test func aWordIsEvidenceForOneWordOnly() {
        #expect(counts(words((" no", 0)), words((" no", 0), (" no", 0.3))) == [2, 1])
        let twice = words((" no", 0), (" no", 0.3))
        #expect(counts(twice, twice) == [2, 2])
    }

    private func word(_ text: String, at end: Double) -> LiveWord {
        LiveWord(UtteranceWord(text: " " + text, handle: [1], start: end - 0.2, end: end), origin: 0)
    }

    @Test func evidenceGrowsWithEachDecodingThatAgrees() {
        var pending: [PendingWord] = []
        pending = pending.updated(with: [word("one", at: 1)], heardTo: 100)
        pending = pending.updated(with: [word("One", at: 1.1), word("two", at: 1.5)], heardTo: 200)
        #expect(pending.map(\.since) == [100, 200] && pending.map(\.count) == [2, 1])
        // Another first word changes nothing for the second.
        pending = pending.updated(with: [word("won", at: 1), word("two", at: 1.5)], heardTo: 300)
        #expect(pending.map(\.since) == [300, 200] && pending.map(\.count) == [1, 2])
    }

    /// The same word at another time is another word.
    @Test func aRepetitionIsAnotherWord() {
        let first = [PendingWord]().updated(with: [word("hold", at: 1)], heardTo: 100)
        #expect(first.updated(with: [word("hold", at: 2)], heardTo: 200).map(\.count) == [1])
        let twice = first.updated(with: [word("hold", at: 1), word("hold", at: 1.4)], heardTo: 200)
        #expect(twice.map(\.count) == [2, 1])
    }

    /// The voice covers all words of the newest hypothesis that has any, final or not.
    @Test func theVoiceCoversTheWholeHypothesis() {
        var text = PendingText(isThorough: false)
        text.update(with: [word("time", at: 1.6)], voice: 0.7, heardTo: 2.0.samples)
        #expect(text.evidence(for: text.words[0]).voice == 0.7)
        text.update(with: [word("time", at: 1.6)], voice: nil, heardTo: 2.2.samples)
        #expect(text.evidence(for: text.words[0]).voice == 0.7)
        let words = [(" clear", 0.9), (",", 0.1), (" muffled", 0.3)].map {
            UtteranceWord(text: $0.0, start: 0, end: 1, probability: $0.1)
        }
        let language = LanguageDetection(language: "en", probability: 1)
        #expect(UtteranceHypothesis(words: words, language: language).meanProbability == 0.6)
        #expect(UtteranceHypothesis(words: [words[1]], language: language).meanProbability == nil)
    }

    /// Quick decodings cannot finalise a word that thorough ones have differently.
    @Test func aWordIsContradictedByAnotherInItsPlace() {
        var text = PendingText(isThorough: true)
        text.update(
            with: [word("stitch", at: 1), word("in", at: 1.2), word("time", at: 1.6)], voice: nil, heardTo: 2.0.samples)
        #expect(text.contradicts(word("stitching", at: 1.2), edge: 0.1.samples))
        #expect(!text.contradicts(word("in", at: 1.3), edge: 0.1.samples))
        #expect(!text.contradicts(word("saves", at: 1.95), edge: 0.1.samples), "it was not heard yet")
    }

    /// Words that become final in one text leave the other, whatever is in their place there.
    @Test func finalWordsLeaveBothTexts() {
        var text = PendingText(isThorough: true)
        text.update(
            with: [word("stitching", at: 1.2), word("time", at: 1.6), word("saves", at: 2)], voice: nil,
            heardTo: 2.5.samples)
        text.drop([word("stitch", at: 1), word("in", at: 1.2)])
        #expect(text.words.map(\.word.text) == [" time", " saves"])
    }
}
