import StenoCore
import Testing

@testable import StenoFastConformer

/// The words of two windows of which the second repeats four seconds of the first.
struct WindowSeamTests {
    /// Words of 0.4 s that begin at these times.
    private static func words(_ words: [(String, Double)]) -> [UtteranceWord] {
        words.map { UtteranceWord(text: " " + $0.0, start: $0.1, end: $0.1 + 0.4) }
    }

    private static func join(_ earlier: [(String, Double)], _ later: [(String, Double)]) -> String {
        WindowSeam.join(words(earlier), words(later), overlap: 26...30).map(\.text).joined()
    }

    @Test func theSeamIsAtACommonWord() {
        let earlier = [("one", 25.0), ("two", 26.5), ("three", 27.5), ("four", 28.5), ("fi", 29.7)]
        let later = [("wo", 26.0), ("Three,", 27.6), ("four", 28.4), ("five", 29.6), ("six", 30.5)]
        #expect(Self.join(earlier, later) == " one two three four five six")
    }

    /// The same words, heard at slightly different times on either side of the middle, are neither lost nor doubled.
    @Test func aWordAtTheMiddleIsKeptOnce() {
        #expect(Self.join([("a", 27.75), ("b", 28.9)], [("a", 27.85), ("b", 28.9), ("c", 31)]) == " a b c")
        #expect(Self.join([("a", 27.85)], [("a", 27.75), ("c", 31)]) == " a c")
    }

    @Test func withoutACommonWordTheMiddleDecides() {
        #expect(Self.join([("a", 26.5), ("b", 28.5)], [("c", 27.0), ("d", 28.6)]) == " a d")
        #expect(Self.join([("a", 25)], [("b", 31)]) == " a b")
        #expect(Self.join([], [("b", 29)]) == " b")
    }

    @Test func theSameWordAtAnotherTimeIsAnother() {
        #expect(Self.join([("the", 26.5), ("end", 27.2)], [("the", 28.6), ("end", 29.3)]) == " the end the end")
    }
}
