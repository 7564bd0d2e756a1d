import Testing

@testable import Steno
@testable import StenoCore

/// Times of words in segments that have none.
@Suite struct EstimatedWordsTests {
    private func words(_ text: String, _ start: Double = 0, _ end: Double) -> [Word] {
        Segment(id: 0, start: start, end: end, text: text).timedWords
    }

    @Test func charactersShareTheSegment() {
        let words = words(" one two  three ", 10, 26)
        #expect(words.map(\.rawText) == [" one", " two", "  three "])
        #expect(words.map(\.start) == [10, 14, 18])
        #expect(words.last?.end == 26)
    }

    @Test func scriptsWithoutSpacesAreCutAtEveryCharacter() {
        #expect(words("猫GPT です。", 0, 8).map(\.rawText) == ["猫", "GPT", " で", "す", "。"])
        #expect(words("가나 다", 0, 1).map(\.rawText) == ["가나", " 다"])
    }

    @Test(arguments: ["", "   ", "\n"]) func noTextHasNoWords(text: String) {
        #expect(words(text, 0, 1).isEmpty)
    }

    @Test func timesThatRunBackwardsGiveNoDuration() {
        #expect(words(" a b", 2, 1).allSatisfy { $0.start == 2 && $0.end == 2 })
    }
}
