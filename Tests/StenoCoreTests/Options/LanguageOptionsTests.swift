import Foundation
import StenoCore
import Testing

struct LanguageOptionsTests {
    @Test(arguments: [
        ("en", "en", nil), ("PT_br", "pt", "BR"), ("nb-NO", "nb", "NO"), ("haw", "haw", nil), ("jw", "jv", nil),
        ("iw-IL", "he", "IL"),
    ])
    func tagsAreLocales(tag: String, language: String, region: String?) {
        let locale = TranscriptionOptions(language: tag).locale
        #expect(locale?.languageCode?.identifier == language)
        #expect(locale?.region?.identifier == region)
    }

    /// A name is not a tag: Foundation would treat it as a separate language.
    @Test(arguments: ["German", "Haitian Creole", "", "-", "e"]) func languageNamesAreNotTags(name: String) {
        #expect(TranscriptionOptions(language: name).locale == nil)
    }

    @Test func theLocaleSetsTheLanguage() {
        var request = TranscriptionOptions()
        #expect(request.locale == nil)
        request.locale = Locale.Language(identifier: "jv")
        #expect(request.language == "jv")
        request.locale = nil
        #expect(request.language == nil)
    }
}
