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

    /// A list that has both codes of a language keeps them apart.
    @Test func equivalentCodesAreTheLastResort() {
        for code in ["nb", "no", "tl", "fil"] {
            #expect(LanguageCodes.code(for: code, among: ["no", "nb", "fil", "tl"]) == code)
        }
    }

    @Test(arguments: ["de", "", "-", "english", "x-en", "e", "en1", "eo"]) func otherTagsHaveNoCode(tag: String) {
        #expect(LanguageCodes.code(for: tag, among: ["en", "zh-TW"]) == nil)
    }
}
