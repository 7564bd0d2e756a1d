/// How to transcribe a recording: options for models of any family, and the options of one family.
///
///     let options = TranscriptionOptions(language: "en", wordTimestamps: true)
///
/// Each family's options are in a property added by its module: Whisper's options (beams, temperatures, thresholds) are
/// in `whisper`, from `import StenoWhisper`. A model throws if it does not support an option.
public struct TranscriptionOptions: Sendable, Hashable, LanguageOptions, Adjustable {
    /// The language, the task and the vocabulary.
    package var settings: SpeechSettings
    /// The spoken language as a code such as `en` or a name such as `english`; nil detects it.
    public var language: String? {
        get { settings.language }
        set { settings.language = newValue }
    }
    /// Whether to transcribe the speech or to translate it into English.
    public var task: TranscriptionTask {
        get { settings.task }
        set { settings.task = newValue }
    }
    /// Names and rare words to expect, one word or phrase each.
    public var vocabulary: [String] {
        get { settings.vocabulary }
        set { settings.vocabulary = newValue }
    }
    /// Text presented to the model as if it preceded the recording: names, spelling, style; nil for none.
    public var prompt: String?
    /// Whether to compute the times of words.
    public var wordTimestamps: Bool
    /// The only parts of the audio to transcribe, in seconds and in this order; empty transcribes everything.
    ///
    /// A clip starts at 0 or later; `60..<.infinity` extends to the end of the audio. Times remain relative to the
    /// whole audio.
    public var clips: [Range<Double>]
    /// The maximum number of windows decoded in one batch, from 1 to 64; they may belong to several recordings.
    ///
    /// 1 is sequential decoding: a window begins where the text of the previous one ended and is conditioned on that
    /// text. Above 1, the ``clips`` are decoded independently of each other; without clips, the recording's speech is
    /// packed into windows. Each window adds to the memory in use.
    public var batchSize: Int
    /// Labels the speakers of words and segments; nil turns this off.
    ///
    /// This computes word times, even if ``wordTimestamps`` is false.
    public var speakers: SpeakerOptions?
    private var own: OwnOptions?

    /// The options of one model family, such as Whisper's `WhisperOptions`; nil when all have their defaults.
    package var family: (any FamilyOptions)? {
        get { own?.options }
        set { own = newValue.map { OwnOptions(options: $0) } }
    }

    /// Creates the options of a live session.
    package init(_ settings: SpeechSettings, prompt: String? = nil) {
        self.init(language: settings.language, task: settings.task, vocabulary: settings.vocabulary, prompt: prompt)
    }

    /// Creates options; omitted ones have their defaults.
    public init(
        language: String? = nil, task: TranscriptionTask = .transcribe, wordTimestamps: Bool = false,
        vocabulary: [String] = [], prompt: String? = nil, clips: [Range<Double>] = [], batchSize: Int = 1,
        speakers: SpeakerOptions? = nil
    ) {
        settings = SpeechSettings(language: language, task: task, vocabulary: vocabulary)
        self.wordTimestamps = wordTimestamps
        self.prompt = prompt
        self.clips = clips
        self.batchSize = batchSize
        self.speakers = speakers
    }
}

/// Options of one model family; models of other families refuse them.
package protocol FamilyOptions: Sendable, Hashable {
    /// The family, as ``SpeechModelInformation/family`` names it.
    static var family: String { get }
    /// The names of the options that do not have their defaults.
    var changes: [String] { get }
}

/// A family's options, comparable across families.
private struct OwnOptions: Sendable, Hashable {
    let options: any FamilyOptions

    static func == (left: OwnOptions, right: OwnOptions) -> Bool {
        AnyHashable(left.options) == AnyHashable(right.options)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(options)) }
}
