import Foundation
import Testing

@testable import StenoUI

struct SavedPhrasesTests {
    @Test func aPhraseIsTrimmedAndSavedOnce() {
        var phrases = SavedPhrases(["Thank you"])
        #expect(phrases.add("  I cannot hear.\n") == true)
        #expect(phrases.add("I cannot hear.") == false)
        #expect(phrases.add(" \n") == false)
        #expect(phrases.phrases == ["Thank you", "I cannot hear."])
        phrases.remove("Thank you")
        #expect(phrases.phrases == ["I cannot hear."])
    }

    @Test func theListIsBounded() {
        var phrases = SavedPhrases()
        for number in 0..<SavedPhrases.limit + 5 { phrases.add("Phrase \(number)") }
        #expect(phrases.phrases.count == SavedPhrases.limit)
    }

    @Test func phrasesSurviveStorage() throws {
        let phrases = SavedPhrases(["“Guten Tag”", "Zwei Tees 🍵", "a\"b\\c"])
        #expect(SavedPhrases(rawValue: phrases.rawValue) == phrases)
        let decoded = try JSONDecoder().decode(SavedPhrases.self, from: JSONEncoder().encode(phrases))
        #expect(decoded == phrases)
        #expect(SavedPhrases(rawValue: "not a list") == nil)
    }
}
