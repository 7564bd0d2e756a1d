import Testing

@testable import StenoCore

@Suite struct LoopsTests {
    private func loops(_ text: String) -> [Loops.Loop] {
        Loops.find(in: text.split(separator: " ").map(String.init), repeats: 3, repeatedWords: 8)
    }

    @Test(
        arguments: [
            // A phrase three times is a loop when it is long, and a word may be repeated several times.
            ("x a b c d a b c d a b c d y", [1..<13]), ("a b c a b c a b c", []), ("a b c d a b c d", []),
            ("no no no no no no no no", []), ("no no no no no no no no no", [0..<9]),
            // An incomplete repetition belongs to the loop at the end of the text, but not before other words.
            ("a b c d a b c d a b c d a b", [0..<14]), ("a b c d a b c d a b c d a b x", [0..<12]),
            ("a b c d a b c d a b c d x e f g h i e f g h i e f g h i", [0..<12, 13..<28]),
            ("", []), ("a", []), ("a b c d e f g h i j k", []),
        ] as [(String, [Range<Int>])]) func loopsAreFound(text: String, ranges: [Range<Int>])
    {
        #expect(loops(text).map(\.range) == ranges)
    }

    @Test func theShortestPhraseWins() {
        #expect(loops("x a b c d a b c d a b c d y") == [Loops.Loop(range: 1..<13, period: 4, count: 3)])
        #expect(loops("no no no no no no no no no").map(\.count) == [9])
        #expect(loops("a a a a a a a a a a a a").map(\.period) == [1])
        #expect(loops("a b c d a b c d a b c d a b").first?.repeated == 4..<14)
    }
}
