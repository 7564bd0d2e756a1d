import StenoCore
import StenoTestSupport
import Testing

@testable import StenoMoonshine

struct SentencesTests {
    private func sentences(_ text: String) -> [String] {
        Sentences.split(spoken(text)).map { $0.map(\.text).joined(separator: " ") }
    }

    @Test(arguments: [
        ("One two. Three", ["One two.", "Three"]),
        ("Is it? Yes! Well… Good.", ["Is it?", "Yes!", "Well…", "Good."]),
        ("He said “no.” Then he left.", ["He said “no.”", "Then he left."]),
        ("Mr. Smith saw Dr. Jones.", ["Mr. Smith saw Dr. Jones."]),
        ("At 5 p.m. Paul came.", ["At 5 p.m. Paul came."]),
        ("It cost 3.50. 20 people paid.", ["It cost 3.50.", "20 people paid."]),
        ("Wait... what is it?", ["Wait... what is it?"]),
        ("no marks at all", ["no marks at all"]),
    ])
    func aSentenceEndsWithItsMark(text: String, expected: [String]) { #expect(sentences(text) == expected) }

    @Test func aLongPauseEndsASegment() {
        let words = timed((" one", 0, 0.5), (" two", 1.9, 2.5), (" three", 4.1, 4.5))
        #expect(Sentences.split(words).map(\.count) == [2, 1])
    }

    @Test func noWordsAreNoSentence() { #expect(Sentences.split([]).isEmpty) }
}
