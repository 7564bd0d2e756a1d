public import StenoCore

/// The options of live transcription.
///
/// The defaults were chosen by measurement (`Documentation/Project/LiveMeasurements.md`); times are seconds of audio.
public struct LiveOptions: Sendable, Hashable, LanguageOptions, Adjustable {
    /// The options that can change during a session.
    package var settings = SpeechSettings()
    /// The spoken language as a code or a name; nil detects it.
    public var language: String? {
        get { settings.language }
        set { settings.language = newValue }
    }
    /// Whether to transcribe or to translate into English.
    ///
    /// A translation becomes final only at the end of an utterance, because half a sentence cannot be translated
    /// reliably.
    public var task: TranscriptionTask {
        get { settings.task }
        set { settings.task = newValue }
    }
    /// Names and rare words to expect, one word or phrase each.
    public var vocabulary: [String] {
        get { settings.vocabulary }
        set { settings.vocabulary = newValue }
    }
    /// The prompt of the first utterance, treated as preceding text; nil for none.
    public var prompt: String?

    /// Whether text becomes final sooner or is more accurate.
    public var balance = LiveBalance.balanced

    /// The shortest time from one decoding of an utterance to the next.
    ///
    /// It grows automatically if decoding would keep the machine busy for more than half of the time.
    package var step = 0.2
    /// The silence after which the preceding words become final, from 0.1 to 5 seconds.
    ///
    /// The utterance continues. Doubtful words, or with ``LiveBalance/accurate`` all words, wait for its end.
    public var pause = 0.16
    /// The silence that ends an utterance, from 0.1 to 5 seconds.
    public var endpoint = 0.6
    /// Speech that follows a shorter silence is decoded together with the audio before it, whose text stays as it is.
    package var continuation = 1.3
    /// The audio before the detected start of speech that is decoded with it.
    package var preRoll = 0.4
    /// A word is shown only if it ended this long before the end of the audio (a less probable one longer), or was
    /// decoded twice in a row.
    package var showAfter = 0.03
    /// Above this length the beginning of an utterance is trimmed at a final word, so that decodings stay fast.
    package var trimAfter = 15.0
    /// The maximum length of an utterance without a final word; then it is cut where speech is least probable.
    package var longestUtterance = 24.0
    /// The beam size of thorough decodings: in a pause, at the end of an utterance, and where words are held up.
    package var finalBeamSize = 5
    /// The temperatures of the last decoding of an utterance, tried in turn while its text fails the quality
    /// thresholds.
    package var finalTemperatures: [Double] = [0, 0.4, 0.8]
    /// The number of tokens of preceding text used as the prompt.
    package var contextTokens = 100

    package var detector = DetectorKind.silero
    /// Speech begins when its probability rises to this.
    package var speechThreshold = 0.5
    /// Speech may end when its probability falls below this.
    package var silenceThreshold = 0.35
    /// Utterances with less speech than this are not decoded.
    package var shortestSpeech = 0.09

    /// The amount of speech needed before a detected language is accepted.
    package var languageAfter = 2.0
    /// Whether the language is detected for every utterance.
    public var switchesLanguage = false

    /// Removes hallucinations at the end of each utterance; nil turns this off.
    public var guards: GuardOptions? = GuardOptions()

    /// Labels the speaker of every final word; nil turns this off.
    public var speakers: SpeakerOptions?

    /// The lag above which audio is skipped, the quietest utterance first; nil never skips any.
    package var sheddingLag: Double?

    /// Creates options with their defaults.
    public init() {}

    /// Creates options; omitted ones, and those that are only properties, have their defaults.
    public init(language: String? = nil, task: TranscriptionTask = .transcribe, balance: LiveBalance = .balanced) {
        settings = SpeechSettings(language: language, task: task)
        self.balance = balance
    }
}

extension LiveOptions: Codable, OptionTable {
    package static var fields: OptionFields<Self> {
        let speech = "The speech thresholds are probabilities, and the threshold of silence must not be the higher one."
        return [
            .init("language", \.language),
            .init("task", \.task),
            .init("vocabulary", \.vocabulary),
            .init("prompt", \.prompt),
            .init("balance", \.balance),
            .init("step", \.step, in: 0.1...10, or: "The step must be from 0.1 to 10 seconds."),
            .init(
                "pause", \.pause, in: 0.1...5,
                or: "The silence after which words are final must be from 0.1 to 5 seconds."),
            .init(
                "endpoint", \.endpoint, in: 0.1...5,
                or: "The silence that ends an utterance must be from 0.1 to 5 seconds."),
            .init(
                "continuation", \.continuation, in: 0...5,
                or: "The silence that ends a sentence must be from 0 to 5 seconds."),
            .init("preRoll", \.preRoll, in: 0...5, or: "The pre-roll must be from 0 to 5 seconds."),
            .init(
                "showAfter", \.showAfter, in: 0...5,
                or: "The time after which a word is shown must be from 0 to 5 seconds."),
            .init("trimAfter", \.trimAfter, in: 4...25, or: "Utterances can be trimmed after 4 to 25 seconds."),
            .init("longestUtterance", \.longestUtterance)
                .rule("The longest utterance must be from the length at which it is trimmed to 28 seconds.") {
                    $0.trimAfter <= $0.longestUtterance && $0.longestUtterance <= 28
                },
            .init("finalBeamSize", \.finalBeamSize, in: 1...64, or: "The beam size must be from 1 to 64."),
            .init("finalTemperatures", \.finalTemperatures)
                .rule("Give at least one temperature.") { !$0.finalTemperatures.isEmpty }
                .rule("A temperature must be from 0 to 100.") { $0.finalTemperatures.allSatisfy((0...100).contains) },
            .init("contextTokens", \.contextTokens, in: 0...220, or: "The prompt must be from 0 to 220 tokens."),
            .init("detector", \.detector),
            .init("speechThreshold", \.speechThreshold, in: 0...1, or: speech),
            .init("silenceThreshold", \.silenceThreshold).rule(speech) {
                0 <= $0.silenceThreshold && $0.silenceThreshold <= $0.speechThreshold
            },
            .init(
                "shortestSpeech", \.shortestSpeech, in: 0...5, or: "The shortest speech must be from 0 to 5 seconds."),
            .init(
                "languageAfter", \.languageAfter, in: 0...25,
                or: "The language can be detected after 0 to 25 seconds."),
            .init("switchesLanguage", \.switchesLanguage),
            .init("guards", \.guards).checking { try $0.guards?.validate() },
            .init("speakers", \.speakers).checking { try $0.speakers?.validate() },
            .init("sheddingLag", \.sheddingLag).rule(
                "The lag above which audio is skipped must be more than 0 seconds."
            ) {
                $0.sheddingLag ?? 1 > 0
            },
        ]
    }
}
