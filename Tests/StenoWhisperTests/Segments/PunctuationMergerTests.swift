import StenoCore
import Testing

@testable import StenoWhisper

struct PunctuationMergerTests {
    private let merger = PunctuationMerger(
        prepended: WhisperOptions().prependedPunctuation, appended: WhisperOptions().appendedPunctuation)

    /// Words with the tokens 0, 1, 2 …, merged.
    private func merged(_ texts: [String], _ merger: PunctuationMerger? = nil) -> [UtteranceWord] {
        var words = texts.enumerated().map {
            UtteranceWord(text: $1, handle: [$0], start: Double($0), end: Double($0) + 1, probability: 0.5)
        }
        (merger ?? self.merger).merge(&words)
        return words
    }

    @Test func marksJoinTheirWords() {
        let words = merged([" He", " said", ":", " \"", "Go", "!", "\"", " So"])
        #expect(words.map(\.text) == [" He", " said:", "", "", " \"Go!\"", "", "", " So"])
        #expect(words.map(\.handle) == [[0], [1, 2], [], [], [3, 4, 5, 6], [], [], [7]])
    }

    /// As in the reference, a merged mark's own time is dropped.
    @Test func timesAreUnchanged() {
        let words = merged([" a", ".", " (", "b"])
        #expect(words.map(\.start) == [0, 1, 2, 3])
        #expect(words.map(\.end) == [1, 2, 3, 4])
        #expect(words.map(\.probability) == [0.5, 0.5, 0.5, 0.5])
    }

    @Test func severalMarksInARow() {
        #expect(merged([" (", " \"", "a"]).map(\.text) == ["", "", " ( \"a"])
        #expect(merged([" (", " \"", "a"])[2].handle == [0, 1, 2])
        #expect(merged([" a", "!", "?", "\"", ")"]).map(\.text) == [" a!?\")", "", "", "", ""])
    }

    /// A list of marks is searched for the whole text of a word, as Python's `in` does.
    @Test(arguments: [
        // Only a mark after a space belongs to what follows.
        (["(", "a"], ["(", "a"]),
        // Marks at the ends have no neighbour.
        ([" a", " ("], [" a", " ("]), ([".", " a"], [".", " a"]),
        // Two marks in one word: next to each other in the list, and not.
        ([" a", ".。"], [" a.。", ""]), ([" a", ".!"], [" a", ".!"]),
        // After a word that ends with a space a mark stands alone.
        ([" a ", "."], [" a ", "."]),
        // A mark with a space before it is appended to nothing.
        ([" a", " ."], [" a", " ."]),
        ([" a", "-"], [" a", "-"]), ([" -", "a"], ["", " -a"]),
    ])
    func rules(words: [String], expected: [String]) { #expect(merged(words).map(\.text) == expected) }

    @Test func nothingToMerge() {
        let none = PunctuationMerger(prepended: "", appended: "")
        #expect(merged([" (", "a", "."], none).map(\.text) == [" (", "a", "."])
        #expect(merged([]).isEmpty)
        #expect(merged(["."]).map(\.text) == ["."])
    }
}
