import Testing

@testable import StenoCore

@Suite struct LoopsTests {
    private func loops(_ text: String) -> [Loops.Loop] {
        Loops.find(in: text.split(separator: " ").map(String.init), repeats: 3, repeatedWords: 8)
    }

    @Test func aPhraseThreeTimesIsALoopWhenItIsLong() {
        #expect(loops("x a b c d a b c d a b c d y") == [Loops.Loop(range: 1..<13, period: 4, count: 3)])
        #expect(loops("a b c a b c a b c").isEmpty)
        #expect(loops("a b c d a b c d").isEmpty)
    }

    @Test func aWordMayBeRepeatedSeveralTimes() {
        #expect(loops("no no no no no no no no").isEmpty)
        #expect(loops("no no no no no no no no no").map(\.count) == [9])
    }

    /// An incomplete repetition belongs to the loop at the end of the text, but not before other words.
    @Test func anIncompleteRepetitionAtTheEndBelongsToTheLoop() {
        #expect(loops("a b c d a b c d a b c d a b").map(\.range) == [0..<14])
        #expect(loops("a b c d a b c d a b c d a b x").map(\.range) == [0..<12])
        #expect(loops("a b c d a b c d a b c d a b").first?.repeated == 4..<14)
    }

    @Test func theShortestPhraseWins() { #expect(loops("a a a a a a a a a a a a").map(\.period) == [1]) }

    @Test func severalLoopsAreFound() {
        #expect(loops("a b c d a b c d a b c d x e f g h i e f g h i e f g h i").map(\.period) == [4, 5])
    }

    @Test(arguments: ["", "a", "a b c d e f g h i j k"]) func mostTextsHaveNone(text: String) {
        #expect(loops(text).isEmpty)
    }
}
