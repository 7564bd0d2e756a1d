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
        ("jv", "jw"), ("iw", "he"), ("iw-IL", "he"), ("haw-US", "haw"),
    ])
    func tagsAreMappedToCodes(tag: String, code: String) { #expect(Languages.code(for: tag) == code) }

    @Test(arguments: ["xx-US", "english-US", "-", "e-US", "x-klingon", "eo"])
    func otherTagsHaveNoCode(tag: String) { #expect(Languages.code(for: tag) == nil) }

    @Test(arguments: [
        ("Germn", "de"), ("englsh", "en"), ("pt-BR", "pt"), ("zh_TW", "zh"), ("port", "pt"), ("castillian", "es"),
        ("eng", "en"), ("ukranian", "uk"),
    ])
    func suggests(misspelt: String, meant: String) {
        #expect(Languages.suggestions(for: misspelt).first?.code == meant)
    }

    @Test func suggestsNothingForNonsense() {
        for word in ["qqqqqqqq", "", "q", "zz", "\u{1F600}"] { #expect(Languages.suggestions(for: word) == []) }
    }
}
