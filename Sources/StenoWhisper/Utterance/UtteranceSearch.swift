import StenoCore

/// The search for the text of an utterance, in Whisper's terms.
struct UtteranceSearch: Hashable {
    /// The tokens before the utterance; the last of them are the prompt.
    var context: [Int] = []
    /// The tokens that are expected, such as those of the previous text.
    ///
    /// They change how soon a text is found and never which: greedy search verifies them together and continues at the
    /// first difference, and the result is the same as without them. Tokens that are wrong, too many or no text cost a
    /// little time. Beam search and temperatures above 0 ignore them.
    var draft: [Int] = []
    /// The language's code; nil detects it.
    var language: String?
    /// Whether to transcribe or to translate.
    var task = TranscriptionTask.transcribe
    /// The number of hypotheses in beam search at temperature 0; 1 is greedy search.
    var beamSize = 1
    /// The temperatures tried in turn while the text fails the quality thresholds.
    var temperatures: [Double] = [0]
    /// Words to expect.
    var hotwords: String?
    /// The minimum audio to encode, from 0 to 30 seconds; nil for the model's minimum for correct text.
    ///
    /// What a shorter utterance lacks is silence; Whisper needs ten seconds. Encoding takes most of a decoding's time, and
    /// a partial hypothesis may do with less: live text of Whisper base was as correct and as steady with eight seconds,
    /// and with fewer it changed more often (`Documentation/Project/LiveMeasurements.md`).
    var minimumEncodedSeconds: Double?
}

extension UtteranceSearch {
    /// The search that a request asks for.
    ///
    /// - Parameter encode: The tokens of a text from elsewhere.
    init(_ request: UtteranceRequest, _ options: LiveDecoderOptions, encode: (String) -> [Int]) {
        let settings = request.settings
        (language, task, hotwords) = (settings.language, settings.task, settings.vocabulary.hotwords)
        let before = request.context.flatMap { $0.handle.isEmpty ? encode($0.text) : $0.handle }
        context = Array(before.suffix(options.contextTokens))
        draft = request.draft.flatMap(\.handle)
        beamSize = request.effort == .quick ? 1 : options.beamSize
        temperatures = request.effort == .last ? options.temperatures : [0]
        minimumEncodedSeconds = request.effort == .quick ? Self.quickSeconds : Self.thoroughSeconds
    }

    /// It is a quarter faster than with Whisper's ten seconds (`Documentation/Project/LiveMeasurements.md`), and what
    /// it has wrong does not agree with the next decodings.
    private static let quickSeconds = 8.0
    /// With as little audio as a quick decoding has, a beam search finds texts that repeat themselves.
    private static let thoroughSeconds = 16.0
}

/// The text of an utterance, with what Whisper says about it.
struct UtteranceText: Hashable {
    /// The words in order; their tokens (``UtteranceWord/handle``) together are those of the text.
    var words: [UtteranceWord] = []
    /// The language it was decoded in.
    var language = LanguageDetection(language: "", probability: 0)
    /// The temperature of the decoding that was accepted.
    var temperature: Double
    /// The measures of the text as a whole.
    var quality: TextQuality
    /// Whether the text fails the quality thresholds.
    var isImplausible: Bool
    /// Whether the utterance is silence, whatever the words are.
    var isSilence: Bool
}

extension UtteranceHypothesis {
    /// The properties of a text in terms independent of Whisper.
    ///
    /// - Parameter room: The number of tokens that a text may have.
    init(_ text: UtteranceText, room: Int) {
        self.init(
            words: text.words, language: text.language, isImplausible: text.isImplausible, isSilence: text.isSilence,
            isSampled: text.temperature > Self.highTemperature,
            isLong: text.words.reduce(0) { $0 + $1.handle.count } > room / 2)
    }

    /// Above this a text is not used as context, as in files.
    private static let highTemperature = 0.5
}
