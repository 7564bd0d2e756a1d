public import StenoWhisper
public import StenoVoice

/// How live transcription listens, decodes and commits.
///
/// The defaults were chosen by measuring (`Documentation/Live.md`); times are seconds of audio.
public struct LiveOptions: Sendable, Hashable {
    /// The spoken language as a code or a name; nil detects it.
    public var language: String?
    /// Write what is said, or translate it into English.
    ///
    /// Half a sentence cannot be translated for good, so a translation becomes final only at the end of speech.
    public var task = TranscriptionTask.transcribe
    /// Names and spelling to expect.
    public var hotwords: String?
    /// Text put before the first utterance as if it had just been said.
    public var initialPrompt: String?

    /// The shortest time from one decoding of an utterance to the next; a slow machine takes longer by itself.
    public var step = 0.4
    /// The silence that ends an utterance.
    public var endpoint = 0.5
    /// The audio before speech was noticed that still belongs to it.
    public var preRoll = 0.4
    /// How many decodings in a row must agree on a word before it is final.
    public var agreement = 2
    /// A word becomes final only when the model heard it end this long before the end of the audio.
    public var hold = 0.2
    /// A word that the model finds less probable than this is held for a while before it becomes final.
    public var confidence = 0.5
    /// How long such a word is held at most, unless its utterance ends: doubt must not delay all words after it.
    public var patience = 1.2
    /// A word is shown only when the model heard it end this long before the end of the audio, or twice in a row.
    public var showAfter = 0.05
    /// From this length on an utterance loses its beginning, at a final word, so that the next decodings stay quick.
    public var trimAfter = 12.0
    /// The longest an utterance can get without a final word; then it is cut where speech is least probable.
    public var longestUtterance = 24.0
    /// How many hypotheses are kept in the last decoding of an utterance.
    public var finalBeamSize = 5
    /// The temperatures tried in turn in the last decoding of an utterance while its text looks bad.
    public var finalTemperatures: [Double] = [0, 0.4, 0.8]
    /// How many tokens of what was said are the prompt for what follows.
    public var contextTokens = 100

    /// What tells speech from silence.
    public var detector = VoiceActivityOptions.Detector.silero
    /// Speech begins when its probability rises to this.
    public var speechThreshold = 0.5
    /// Speech may end when its probability falls below this.
    public var silenceThreshold = 0.35
    /// Sounds with less speech than this are not decoded.
    public var shortestSpeech = 0.09

    /// The speech that is needed before a detected language is believed.
    public var languageAfter = 2.0
    /// Whether every utterance may be in another language.
    public var switchesLanguage = false

    /// Takes out what nobody said, at the end of each utterance; nil is off.
    public var guards: GuardOptions? = GuardOptions()

    /// The lag from which on sound is left out, the quietest utterance first; nil never leaves anything out.
    public var sheddingLag: Double?

    /// Creates options.
    public init(language: String? = nil, task: TranscriptionTask = .transcribe) {
        self.language = language
        self.task = task
    }

    /// Refuses values outside their range, with a sentence that names the option.
    public func validate() throws {
        let checks: [(Bool, String)] = [
            ((0.1...10).contains(step), "The step must be from 0.1 to 10 seconds."),
            ((0.1...5).contains(endpoint), "The silence that ends an utterance must be from 0.1 to 5 seconds."),
            ((0...5).contains(preRoll), "The audio kept before speech must be from 0 to 5 seconds."),
            ((1...8).contains(agreement), "The number of decodings that agree must be from 1 to 8."),
            ((0...5).contains(hold) && (0...5).contains(showAfter), "The time a word is held must be 0 to 5 seconds."),
            ((0...1).contains(confidence), "The confidence must be from 0 to 1."),
            ((0...60).contains(patience), "The patience must be from 0 to 60 seconds."),
            ((4...25).contains(trimAfter), "Utterances can be trimmed after 4 to 25 seconds."),
            (
                (trimAfter...28).contains(longestUtterance),
                "The longest utterance must be from the length at which it is trimmed to 28 seconds."
            ),
            ((1...64).contains(finalBeamSize), "The beam size must be from 1 to 64."),
            (!finalTemperatures.isEmpty, "Give at least one temperature."),
            (finalTemperatures.allSatisfy { (0...100).contains($0) }, "A temperature must be from 0 to 100."),
            ((0...220).contains(contextTokens), "The prompt must be from 0 to 220 tokens."),
            (
                (0...1).contains(speechThreshold) && (0...speechThreshold).contains(silenceThreshold),
                "The thresholds of speech are probabilities, and that of silence is not the higher one."
            ),
            ((0...5).contains(shortestSpeech), "The shortest speech must be from 0 to 5 seconds."),
            ((0...25).contains(languageAfter), "The language can be detected after 0 to 25 seconds."),
            (sheddingLag ?? 1 > 0, "The lag from which on sound is left out must be more than 0 seconds."),
        ]
        do {
            try guards?.validate()
        } catch {
            throw StenoError(.invalidOption, "\(error)", underlying: error)
        }
        if let failed = checks.first(where: { !$0.0 }) { throw StenoError(.invalidOption, failed.1) }
    }
}
