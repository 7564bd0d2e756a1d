import Foundation
import StenoSpeech
import Testing

/// What apps ask a module before they send it audio.
struct ModuleFormatsTests {
    private let modules: [any SpeechModule] = [
        SpeechTranscriber(locale: english, preset: .transcription),
        DictationTranscriber(locale: english, preset: .longDictation), SpeechDetector(),
    ]

    @Test func appsNeedNotConvertTheUsualFormats() async {
        for module in modules {
            let formats = await module.availableCompatibleAudioFormats
            #expect(formats.map(\.sampleRate) == [16_000, 16_000] && formats.map(\.channelCount) == [1, 1])
            #expect(formats.map(\.commonFormat) == [.pcmFormatInt16, .pcmFormatFloat32])
        }
    }

    @Test func aTranscriberKnowsItsLocale() {
        let localized = modules.compactMap { $0 as? any LocaleDependentSpeechModule }
        #expect(localized.map(\.selectedLocales) == [[english], [english]])
    }
}
