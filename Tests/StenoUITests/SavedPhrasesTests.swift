import Foundation
import Testing

@testable import StenoUI

struct SavedPhrasesTests {
    @Test func aPhraseIsTrimmedAndSavedOnceInABoundedList() {
        var phrases = SavedPhrases(["Thank you"])
        #expect(phrases.add("  I cannot hear.\n") == true)
        #expect(phrases.add("I cannot hear.") == false)
        #expect(phrases.add(" \n") == false)
        #expect(phrases.phrases == ["Thank you", "I cannot hear."])
        phrases.remove("Thank you")
        #expect(phrases.phrases == ["I cannot hear."])
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

struct QuickLanguagesTests {
    @Test func aThirdLanguageReplacesTheUnusedOne() {
        var languages = QuickLanguages("de", "tr")
        languages.choose("tr")
        #expect(languages.pair == ["de", "tr"] && languages.current == "tr")
        languages.choose("fr")
        #expect(languages.pair == ["fr", "tr"] && languages.current == "fr")
        #expect(languages.other == "tr")
        languages.choose("es")
        #expect(languages.pair == ["fr", "es"] && languages.current == "es")
        languages.choose("fr")
        #expect(languages.pair == ["fr", "es"], "places do not change")
        languages.choose(nil)
        #expect(languages.current == nil && languages.pair == ["fr", "es"])
    }

    @Test func theFirstPairIsTheDevicesLanguageAndEnglishAndNamesAreNative() {
        #expect(QuickLanguages(locale: Locale(identifier: "de_AT")).pair == ["de", "en"])
        #expect(QuickLanguages(locale: Locale(identifier: "en_US")).pair == ["en", "es"])
        #expect(QuickLanguages.name(of: "de") == "Deutsch")
        #expect(QuickLanguages.name(of: "tr") == "Türkçe")
        #expect(QuickLanguages.name(of: "es") == "Español")
        #expect(QuickLanguages.name(of: "pt-BR").hasPrefix("Português"))
    }
}
