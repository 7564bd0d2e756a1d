import Steno
import StenoCore
public import StenoRecognizer

extension SpeechRecognizer {
    /// Creates a recognizer that uses the first suitable engine, without loading anything.
    ///
    ///     let recognizer = SpeechRecognizer(engines: [.speechAnalyzer, .whisper], language: "de")
    ///
    /// An engine that is ready is preferred to one that must download something. Engines that are unavailable or have
    /// failed are skipped. Audio never leaves the device. Put ``EngineKind/whisper`` last, so that there is always one.
    /// - Parameters:
    ///   - engines: The kinds, in order of preference.
    ///   - model: The Whisper model; nil for the default one of this machine.
    ///   - language: The spoken language as a BCP 47 tag; the system's engines need one.
    ///   - vocabulary: Names and rare words to expect.
    public convenience init(
        engines: [EngineKind], model: String? = nil, language: String? = nil, vocabulary: [String] = []
    ) {
        self.init(
            TranscriptionEngineFactory(engines.map { $0.provider(model: model) }),
            request: EngineRequest(language: language, vocabulary: vocabulary))
    }
}
