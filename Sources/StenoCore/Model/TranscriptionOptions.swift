/// How a recording is transcribed: what is asked of a model of any family, and the options of one family.
///
///     let options = TranscriptionOptions(language: "en", wordTimestamps: true)
///
/// The options of a family are in a property that its module adds: those of Whisper (beams, temperatures, thresholds)
/// in `whisper`, which `import StenoWhisper` brings. A model refuses what it does not have.
public struct TranscriptionOptions: Sendable, Hashable, LanguageOptions, Adjustable {
    /// What is spoken and what is wanted of it.
    package var settings: SpeechSettings
    /// The spoken language as a code such as `en` or a name such as `english`; nil detects it.
    public var language: String? {
        get { settings.language }
        set { settings.language = newValue }
    }
    /// Whether to transcribe what is said or to translate it into English.
    public var task: TranscriptionTask {
        get { settings.task }
        set { settings.task = newValue }
    }
    /// Names and rare words to expect, one word or phrase each.
    public var vocabulary: [String] {
        get { settings.vocabulary }
        set { settings.vocabulary = newValue }
    }
    /// Text presented to the model as if it preceded the recording: names, spelling, style; nil is none.
    public var prompt: String?
    /// Finds when each word was said.
    public var wordTimestamps: Bool
    /// The only parts of the audio to transcribe, in seconds and in this order; empty transcribes everything.
    ///
    /// `60..<.infinity` extends to the end of the audio. Times remain relative to the whole audio.
    public var clips: [Range<Double>]
    /// The maximum number of windows decoded as one batch, of one recording or of several, from 1 to 64.
    ///
    /// 1 is sequential decoding: a window begins where the text of the previous one ended and is conditioned on that
    /// text. Above 1, the ``clips`` are decoded independently of each other; without clips, the recording's speech is
    /// packed into windows. Each window adds to the memory in use.
    public var batchSize: Int
    /// Labels who speaks, in words and segments; nil does not.
    ///
    /// The words get times, whatever ``wordTimestamps`` says.
    public var speakers: SpeakerOptions?
    private var own: OwnOptions?

    /// The options of one model family, such as Whisper's `WhisperOptions`; nil when all have their defaults.
    package var family: (any FamilyOptions)? {
        get { own?.options }
        set { own = newValue.map { OwnOptions(options: $0) } }
    }

    /// Creates the options of what a live session is asked for.
    package init(_ settings: SpeechSettings, prompt: String? = nil) {
        self.init(language: settings.language, task: settings.task, vocabulary: settings.vocabulary, prompt: prompt)
    }

    /// Creates options; what is not given has its default.
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

/// A family's options, which can be compared whatever the family.
private struct OwnOptions: Sendable, Hashable {
    let options: any FamilyOptions

    static func == (left: OwnOptions, right: OwnOptions) -> Bool {
        AnyHashable(left.options) == AnyHashable(right.options)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(options)) }
}
