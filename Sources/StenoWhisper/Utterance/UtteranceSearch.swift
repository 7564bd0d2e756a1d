import StenoCore

/// The search for the text of an utterance, in Whisper's terms.
struct UtteranceSearch: Hashable {
    /// The tokens before the utterance; the last of them are the prompt.
    var context: [Int] = []
    /// The expected tokens, such as those of the previous text.
    ///
    /// They only speed up greedy search and never change its result: it verifies them together and continues at the
    /// first difference. Wrong, superfluous or non-text tokens cost a little time. Beam search and temperatures above 0
    /// ignore them.
    var draft: [Int] = []
    /// The language's code; nil detects it.
    var language: String?
    var task = TranscriptionTask.transcribe
    /// The number of hypotheses in beam search at temperature 0; 1 is greedy search.
    var beamSize = 1
    /// The temperatures tried in turn while the text fails the quality thresholds.
    var temperatures: [Double] = [0]
    var hotwords: String?
    /// The minimum audio to encode, from 0 to 30 seconds; nil for the model's minimum for correct text.
    ///
    /// A shorter utterance is padded with silence, because Whisper needs ten seconds. Encoding takes most of the
    /// decoding time, and a partial hypothesis can do with less: live text of Whisper base was as correct and as stable
    /// with eight seconds, and changed more often with fewer (`Documentation/Project/LiveMeasurements.md`).
    var minimumEncodedSeconds: Double?
}

extension UtteranceSearch {
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

    /// A quarter faster than Whisper's ten seconds (`Documentation/Project/LiveMeasurements.md`), and its errors do not
    /// agree with the next decodings.
    private static let quickSeconds = 8.0
    /// With as little audio as a quick decoding has, a beam search finds texts that repeat themselves.
    private static let thoroughSeconds = 16.0
}

extension UtteranceHypothesis {
    /// A hypothesis whose words together have the text's tokens (``UtteranceWord/handle``).
    ///
    /// - Parameter room: The number of tokens that a text may have.
    init(
        _ words: [UtteranceWord], in language: LanguageDetection, temperature: Double, quality: TextQuality,
        thresholds: QualityThresholds, room: Int
    ) {
        let tokens = words.flatMap(\.handle)
        self.init(
            words: words, language: language, isImplausible: thresholds.fail(quality),
            isSilence: thresholds.isSilence(quality), isSampled: temperature > Self.highTemperature,
            isLong: tokens.count > room / 2,
            whisper: WhisperSegmentDetails(
                seek: 0, tokens: tokens, temperature: temperature, averageLogProbability: quality.averageLogProbability,
                compressionRatio: quality.compressionRatio, noSpeechProbability: quality.noSpeechProbability))
    }

    /// Text decoded above this temperature is not used as context, as in files.
    private static let highTemperature = 0.5
}
