import StenoCore
import Testing

@testable import StenoFastConformer

/// The languages of models, and requests for one of them.
struct SpokenLanguagesTests {
    private static let prompted = SpokenLanguages.prompted([
        "en-US": 0, "en": 0, "en-GB": 1, "ja-JP": 10, "pt-BR": 12, "pt": 13, "no": 27, "qu-PE": 80,
    ])

    @Test func codesAreThoseOfLanguages() {
        #expect(Self.prompted.codes == ["en", "ja", "no", "pt", "qu"])
        #expect(SpokenLanguages.one("en").codes == ["en"])
    }

    @Test(arguments: [
        ("en", "en"), ("en-US", "en-US"), ("en-AU", "en"), ("English", "en"), ("ja", "ja-JP"), ("Japanese", "ja-JP"),
        ("pt_br", "pt-BR"), ("pt-PT", "pt"), ("nb", "no"), ("QU", "qu-PE"),
    ])
    func aPromptIsFound(language: String, key: String) throws {
        #expect(try Self.prompted.prompt(for: language) == key)
    }

    @Test func unknownLanguagesAreRefused() throws {
        expectError(.unknownLanguage, says: "\"ko\"", "en, ja") { try Self.prompted.prompt(for: "ko") }
        expectError(.unknownLanguage, says: "\"de\"", "only English") {
            try SpokenLanguages.one("en").prompt(for: "de")
        }
        expectError(.unknownLanguage, says: "\"zh\"") { try SpokenLanguages.silent(["de", "fr"]).prompt(for: "zh") }
        // A model that detects the language itself cannot be given it.
        expectError(.invalidOption, says: "\"German\"", "Leave") {
            try SpokenLanguages.silent(["de", "fr"]).prompt(for: "German")
        }
        #expect(try SpokenLanguages.silent(["de"]).prompt(for: nil) == nil)
        #expect(try SpokenLanguages.one("en").prompt(for: "en-US") == nil)
        #expect(try Self.prompted.prompt(for: nil) == nil)
    }

    @Test func theLanguageIsReported() {
        #expect(SpokenLanguages.one("en").detection(nil).language == "en")
        #expect(Self.prompted.detection("ja-JP") == LanguageDetection(language: "ja", probability: 1))
        #expect(Self.prompted.detection(nil).language == LanguageDetection.undetermined)
        #expect(SpokenLanguages.silent(["de"]).detection(nil).probability == 0)
        #expect(SpokenLanguages.detection([:]) == nil)
        #expect(
            SpokenLanguages.detection(["de-DE": 3, "en-US": 1]) == LanguageDetection(language: "de", probability: 0.75))
    }

    @Test func vocabulariesTellTheirLanguages() throws {
        #expect(SpokenLanguages(try SpeechModels.parakeet.get().model) == .one("en"))
        guard case .prompted(let prompts) = SpokenLanguages(try SpeechModels.nemotron.get().model) else {
            Issue.record("The model has prompts.")
            return
        }
        #expect(Set(prompts.keys) == ["en-US", "en", "en-GB", "de-DE", "de", "no"])
    }
}
