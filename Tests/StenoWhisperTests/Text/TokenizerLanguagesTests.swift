import StenoWhisper
import Testing

@testable import StenoCore

struct TokenizerLanguagesTests {
    /// Without a name, a language could only be given by its code.
    @Test func everyTokenHasAName() {
        #expect(SpecialTokens.languageCodes.count == 100 && Set(SpecialTokens.languageCodes).count == 100)
        #expect(SpecialTokens.languageCodes.allSatisfy { Languages.name(of: $0) != nil })
    }

    @Test func findsLanguageTokens() throws {
        let tokenizer = try TokenizerGoldens.multilingual()
        #expect(try tokenizer.languageToken(for: "en") == 50259)
        #expect(try tokenizer.languageToken(for: "Castilian") == tokenizer.languageToken(for: "es"))
    }

    @Test(arguments: [("Germn", "Did you mean German (de)?"), ("qqqqqqqq", "\"German\""), ("Cantonese", "large-v3")])
    func explainsAnUnknownLanguage(language: String, hint: String) throws {
        let tokenizer = try TokenizerGoldens.multilingual()
        expectError(.unknownLanguage, says: hint) { try tokenizer.languageToken(for: language) }
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

    @Test func englishOnlyModelsKnowOnlyEnglish() throws {
        let tokenizer = try TokenizerGoldens.englishOnly()
        #expect(try tokenizer.sotSequence(language: "en", task: .translate, withoutTimestamps: false) == [50257])
        #expect(
            try tokenizer.sotSequence(language: "English", task: .transcribe, withoutTimestamps: true)
                == [50257, 50362])
        expectError(.unknownLanguage, says: "English-only") {
            try tokenizer.sotSequence(language: "de", task: .transcribe, withoutTimestamps: false)
        }
    }
}
