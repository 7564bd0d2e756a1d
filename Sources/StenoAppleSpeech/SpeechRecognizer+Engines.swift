import Steno
import StenoCore
public import StenoRecognizer

extension SpeechRecognizer {
    /// Creates a recognizer that uses the first of some engines that can do it, without loading anything.
    ///
    ///     let recognizer = SpeechRecognizer(engines: [.speechAnalyzer, .whisper], language: "de")
    ///
    /// An engine that is ready is preferred to one that has to download something. One that cannot be used, or whose
    /// sessions failed, is passed over; audio never leaves the device. Put ``EngineKind/whisper`` last, and there is
    /// always one.
    /// - Parameters:
    ///   - engines: The kinds, in order of preference.
    ///   - model: The model of Whisper; nil is the default one of this machine.
    ///   - language: The spoken language as a BCP 47 tag; the engines of the system need one.
    ///   - vocabulary: Names and rare words to expect.
    public convenience init(
        engines: [EngineKind], model: String? = nil, language: String? = nil, vocabulary: [String] = []
    ) {
        self.init(
            TranscriptionEngineFactory(engines.map { $0.provider(model: model) }),
            request: EngineRequest(language: language, vocabulary: vocabulary))
    }
}
