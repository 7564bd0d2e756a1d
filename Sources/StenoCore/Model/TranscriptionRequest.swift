/// A request to a model, in terms that apply to every family.
///
/// Settings specific to one family (beams, temperatures, thresholds) are in options of its own, which can be given in
/// place of these.
public struct TranscriptionRequest: TranscriptionOptions, LanguageOptions, Adjustable {
    /// The spoken language as a code such as `en` or a name such as `english`; nil detects it.
    public var language: String?
    /// Whether to transcribe what is said or to translate it into English.
    public var task: TranscriptionTask
    /// Whether to find when each word was said.
    public var wordTimestamps: Bool
    /// Names and rare words to expect, one word or phrase each.
    public var vocabulary: [String]
    /// Text presented to the model as if it preceded the recording; nil is none.
    public var prompt: String?
    /// The only parts of the audio to transcribe, in seconds and in this order; empty transcribes everything.
    public var clips: [Range<Double>]
    /// The maximum number of windows decoded as one batch, of one recording or of several.
    public var batchSize: Int
    /// Labels who speaks, in words and segments; nil does not.
    ///
    /// The words get times, whatever ``wordTimestamps`` says.
    public var speakers: SpeakerOptions?
    /// Options of one model family, such as Whisper's `WhisperOptions`; what this request says itself takes precedence.
    package var familyOptions: (any FamilyOptions)?

    /// Creates a request.
    public init(
        language: String? = nil, task: TranscriptionTask = .transcribe, wordTimestamps: Bool = false,
        vocabulary: [String] = [], prompt: String? = nil, clips: [Range<Double>] = [], batchSize: Int = 1,
        speakers: SpeakerOptions? = nil
    ) {
        self.language = language
        self.task = task
        self.wordTimestamps = wordTimestamps
        self.vocabulary = vocabulary
        self.prompt = prompt
        self.clips = clips
        self.batchSize = batchSize
        self.speakers = speakers
    }

    /// The request itself.
    public var request: TranscriptionRequest { self }
}

/// A request in either form: neutral, or one family's options.
public protocol TranscriptionOptions: Sendable {
    /// The request.
    var request: TranscriptionRequest { get }
}

/// Options specific to one model family.
package protocol FamilyOptions: TranscriptionOptions, Hashable {}
