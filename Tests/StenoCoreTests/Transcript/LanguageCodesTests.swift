import Foundation
import Testing

@testable import StenoCore

struct LanguageCodesTests {
    @Test(arguments: [
        ("en", "en"), ("EN_us", "en"), ("zh-Hant-TW", "zh-Hant"), ("zh_tw", "zh-TW"), ("nb-NO", "no"), ("no", "no"),
        ("tl", "fil"), ("fil-PH", "fil"), ("jv", "jw"), ("jw", "jw"), ("iw-IL", "he"),
    ])
    func theMostExactCodeIsFound(tag: String, code: String) {
        #expect(LanguageCodes.code(for: tag, among: ["en", "zh-TW", "zh-Hant", "no", "fil", "jw", "he"]) == code)
    }

    /// Of a platform's codes with regions, the most exact one is taken as the platform writes it.
    @Test(arguments: [
        ("en-gb", "en_GB"), ("pt_br", "pt-BR"), ("pt-AO", "pt"), ("no-NO", "nb-NO"), ("cmn-Hant-HK", "zh-Hant"),
        ("en-AU", nil),
    ])
    func regionsCountIfThereAreAny(tag: String, code: String?) {
        let platform = ["en_GB", "en-US", "pt-BR", "pt", "nb-NO", "zh-Hant"]
        #expect(LanguageCodes.code(for: tag, among: platform) == code)
    }

    /// A list that has both codes of a language keeps them apart.
    @Test func equivalentCodesAreTheLastResort() {
        for code in ["nb", "no", "tl", "fil"] {
            #expect(LanguageCodes.code(for: code, among: ["no", "nb", "fil", "tl"]) == code)
        }
    }

    @Test(arguments: ["de", "", "-", "english", "x-en", "e", "en1", "eo"]) func otherTagsHaveNoCode(tag: String) {
        #expect(LanguageCodes.code(for: tag, among: ["en", "zh-TW"]) == nil)
    }

    /// A name is not a tag: Foundation would treat it as a separate language.
    @Test(
        arguments: [
            ("en", "en", nil), ("PT_br", "pt", "BR"), ("jw", "jv", nil), ("iw-IL", "he", "IL"), ("German", nil, nil),
            ("Haitian Creole", nil, nil), ("-", nil, nil), ("e", nil, nil),
        ] as [(String, String?, String?)]) func tagsAreLocales(tag: String, language: String?, region: String?)
    {
        let locale = TranscriptionOptions(language: tag).locale
        #expect(locale?.languageCode?.identifier == language && locale?.region?.identifier == region)
    }

    @Test func theLocaleSetsTheLanguage() {
        var request = TranscriptionOptions()
        for (language, expected) in [(Locale.Language(identifier: "jv"), "jv"), (nil, nil)] {
            request.locale = language
            #expect(request.language == expected)
        }
    }
}
