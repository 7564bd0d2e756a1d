import Steno
import StenoCore

/// A model that produces no text, so that an engine only detects speech.
final class SilentModel: SequentialModel {
    static let shared = SilentModel()

    private init() {}

    var information: SpeechModelInformation {
        SpeechModelInformation(
            family: "None", source: ModelSource(path: "", format: "none", storedPrecision: "none", byteCount: 0),
            precision: .float32, threads: 1, parameterCount: 0, languages: ["en"], options: [])
    }

    func check(_ options: TranscriptionOptions) throws {}

    func makeFileDecoder(isCancelled: @escaping () -> Bool) throws -> FileDecoder { throw Self.noText }

    func detectLanguage(
        _ source: any SampleSource, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool
    ) throws -> LanguageDetection { throw Self.noText }

    private static let noText = StenoError(
        .modelUnsupported, "This model only detects speech. Add a SpeechTranscriber for text.")

    func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder { .repeated(SilentDecoder()) }

    private final class SilentDecoder: UtteranceDecoding {
        var isCancelled: () -> Bool = { false }
        let searchesAlike = false

        func decode(_ samples: [Float], _ request: UtteranceRequest) throws -> UtteranceHypothesis {
            UtteranceHypothesis(words: [], language: LanguageDetection(language: "en", probability: 1))
        }
    }
}
