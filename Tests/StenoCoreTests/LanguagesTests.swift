import Foundation
import Testing

@testable import StenoCore

struct LanguagesTests {
    @Test func knowsCodesNamesAndAliases() {
        #expect(Languages.all.count == 100)
        #expect(Set(Languages.all.map(\.code)).count == 100)
        #expect(Languages.code(for: "en") == "en" && Languages.code(for: "ENGLISH") == "en")
        #expect(Languages.code(for: "Haitian Creole") == "ht" && Languages.code(for: "haitian") == "ht")
        #expect(Languages.code(for: "mandarin") == "zh" && Languages.code(for: "Castilian") == "es")
        #expect(Languages.code(for: "klingon") == nil && Languages.code(for: "") == nil)
        #expect(Languages.name(of: "yue") == "Cantonese" && Languages.name(of: "xx") == nil)
    }

    @Test(arguments: [
        ("en-US", "en"), ("EN_us", "en"), ("de-AT-1996", "de"), ("pt_BR", "pt"), ("zh-Hant-TW", "zh"),
        ("yue-HK", "yue"), ("cmn-Hans-CN", "zh"), ("nb-NO", "no"), ("nn-NO", "nn"), ("fil", "tl"), ("fil-PH", "tl"),
        ("jv", "jw"), ("iw", "he"), ("iw-IL", "he"), ("haw-US", "haw"), ("xx-US", nil), ("english-US", nil), ("-", nil),
        ("e-US", nil), ("x-klingon", nil), ("eo", nil),
    ])
    func tagsAreMappedToCodes(tag: String, code: String?) { #expect(Languages.code(for: tag) == code) }

    @Test(arguments: [
        ("Germn", "de"), ("englsh", "en"), ("pt-BR", "pt"), ("zh_TW", "zh"), ("port", "pt"), ("castillian", "es"),
        ("eng", "en"), ("ukranian", "uk"), ("qqqqqqqq", nil), ("", nil), ("q", nil), ("zz", nil), ("\u{1F600}", nil),
    ])
    func suggests(misspelt: String, meant: String?) {
        #expect(Languages.suggestions(for: misspelt).first?.code == meant)
    }
}

struct LanguageCodesTests {
    @Test(arguments: [
        ("en", "en"), ("EN_us", "en"), ("zh-Hant-TW", "zh-Hant"), ("zh_tw", "zh-TW"), ("nb-NO", "no"), ("no", "no"),
        ("tl", "fil"), ("fil-PH", "fil"), ("jv", "jw"), ("jw", "jw"), ("iw-IL", "he"), ("de", nil), ("", nil),
        ("-", nil),
        ("english", nil), ("x-en", nil), ("e", nil), ("en1", nil), ("eo", nil),
    ])
    func theMostExactCodeIsFound(tag: String, code: String?) {
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
