import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import Steno

struct EngineRequestTests {
    @Test func thePrimaryLanguageHasNoRegion() {
        let languages = ["de-AT", "pt_BR", "zh-Hant-TW", "en", nil].map { EngineRequest(language: $0).primaryLanguage }
        #expect(languages == ["de", "pt", "zh", "en", nil])
    }

    @Test func aRequestHasSettings() {
        let request = EngineRequest(language: "de", task: .translate, vocabulary: ["Zwettl", "Steno"])
        #expect(request.settings == SpeechSettings(language: "de", task: .translate, vocabulary: ["Zwettl", "Steno"]))
        #expect(EngineRequest().settings == SpeechSettings())
    }

    private let whisper = Languages.all.map(\.code)

    @Test func aLanguageHasALocale() {
        let locale = EngineRequest(language: "de-AT").locale
        #expect(locale?.language.languageCode == .german && locale?.language.region == .austria)
        #expect(EngineRequest().locale == nil)
    }

    @Test func theRequestOverridesTheOptions() {
        let options = LiveOptions(language: "fr", task: .translate).with {
            ($0.vocabulary, $0.prompt, $0.switchesLanguage, $0.step) = (["Paris"], "Bonjour.", true, 0.7)
        }
        let model = model(Set(TranscriptionOptions.Name.allCases))
        let same = options.merging(EngineRequest(task: .translate), for: model)
        #expect(same == options)

        let request = EngineRequest(language: "de-AT", vocabulary: ["Zwettl", "Grüner Veltliner"])
        let merged = options.merging(request, for: model)
        #expect(merged.language == "de" && !merged.switchesLanguage && merged.task == .transcribe)
        #expect(merged.vocabulary == ["Zwettl", "Grüner Veltliner"] && merged.prompt == "Bonjour.")
        #expect(merged.step == 0.7)
        // A name is left to the model.
        #expect(options.merging(EngineRequest(language: "German"), for: model).language == "German")
    }

    /// The caller does not know which model gets the request.
    @Test func optionsTheModelLacksAreLeftOut() {
        let request = EngineRequest(language: "de", vocabulary: ["Zwettl"])
        let merged = LiveOptions().merging(request, for: model([]))
        #expect(merged.language == "de" && merged.vocabulary.isEmpty)
    }

    private func model(_ options: Set<TranscriptionOptions.Name>) -> SpeechModelInformation {
        var model = SecondFamilyModel(options: options).information
        model.languages = whisper
        return model
    }
}
