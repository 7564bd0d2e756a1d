import StenoWhisper
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
    func otherTagsAreNot(tag: String) { #expect(Languages.code(for: tag) == nil) }

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

    @Test func findsLanguageTokens() throws {
        let tokenizer = try TokenizerGoldens.multilingual()
        #expect(try tokenizer.languageToken(for: "en") == 50259)
        #expect(try tokenizer.languageToken(for: "Castilian") == tokenizer.languageToken(for: "es"))
    }

    @Test(arguments: [
        ("Germn", "Did you mean German (de)?"), ("qqqqqqqq", "\"German\""), ("Cantonese", "large-v3"),
    ])
    func explainsAnUnknownLanguage(language: String, hint: String) throws {
        let tokenizer = try TokenizerGoldens.multilingual()
        let error = #expect(throws: StenoError.self) { try tokenizer.languageToken(for: language) }
        #expect(error?.code == .unknownLanguage)
        #expect(error?.message.contains(hint) == true, "\(error?.message ?? "")")
    }

    @Test func startsATranscript() throws {
        let tokenizer = try TokenizerGoldens.multilingual()
        #expect(
            try tokenizer.sotSequence(language: "de", task: .transcribe, withoutTimestamps: false)
                == [50258, 50261, 50359])
        #expect(
            try tokenizer.sotSequence(language: "German", task: .translate, withoutTimestamps: true)
                == [50258, 50261, 50358, 50363])
    }

    @Test func englishOnlyModelsKnowEnglishOnly() throws {
        let tokenizer = try TokenizerGoldens.englishOnly()
        #expect(try tokenizer.sotSequence(language: "en", task: .translate, withoutTimestamps: false) == [50257])
        #expect(
            try tokenizer.sotSequence(language: "English", task: .transcribe, withoutTimestamps: true)
                == [50257, 50362])
        let error = #expect(throws: StenoError.self) {
            try tokenizer.sotSequence(language: "de", task: .transcribe, withoutTimestamps: false)
        }
        #expect(error?.code == .unknownLanguage)
        #expect(error?.message.contains("English-only") == true)
    }
}
