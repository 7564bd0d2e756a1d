/// What is asked of a model, in terms that every family understands.
///
/// Tuning that only one family has (beams, temperatures, thresholds) travels in ``familyOptions``; a model takes what
/// is its own family's and otherwise goes by the neutral fields.
public struct TranscriptionRequest: TranscriptionOptions {
    /// The spoken language as a code such as `en` or a name such as `english`; nil detects it.
    public var language: String?
    /// Whether to write what is said, or to translate it into English.
    public var task: TranscriptionTask
    /// Whether to find when each word was said.
    public var wordTimestamps: Bool
    /// Names and rare words to expect; nil is none.
    public var vocabulary: String?
    /// Text put before the recording as if it had just been said; nil is none.
    public var prompt: String?
    /// The only parts of the audio to transcribe, in seconds and in this order; empty transcribes everything.
    public var clips: [Range<Double>]
    /// How many windows may be decoded together, of one recording or of several.
    public var batchSize: Int
    /// Options of one model family, such as Whisper's `DecodingOptions`.
    public var familyOptions: (any FamilyOptions)?

    /// Creates a request.
    public init(
        language: String? = nil, task: TranscriptionTask = .transcribe, wordTimestamps: Bool = false,
        vocabulary: String? = nil, prompt: String? = nil, clips: [Range<Double>] = [], batchSize: Int = 1,
        familyOptions: (any FamilyOptions)? = nil
    ) {
        self.language = language
        self.task = task
        self.wordTimestamps = wordTimestamps
        self.vocabulary = vocabulary
        self.prompt = prompt
        self.clips = clips
        self.batchSize = batchSize
        self.familyOptions = familyOptions
    }

    /// The request itself.
    public var request: TranscriptionRequest { self }
}

/// Anything that says what is asked of a model: a neutral request, or one family's options.
public protocol TranscriptionOptions: Sendable {
    /// What is asked for.
    var request: TranscriptionRequest { get }
}

/// Options that one model family understands.
public protocol FamilyOptions: TranscriptionOptions, Hashable {}
