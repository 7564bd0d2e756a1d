public import StenoCore
public import StenoVoice

/// How a recording is turned into text: the options of faster-whisper 1.2.1 under Swift names, with its defaults.
public struct DecodingOptions: Sendable, Hashable {
    /// The spoken language as a code such as `en` or a name such as `english`; nil detects it from the first window.
    public var language: String?
    /// Detects the language of every window anew, for recordings in which it changes; ``Segment/language`` then tells it.
    ///
    /// English-only models ignore it.
    public var multilingual = false
    /// How many windows, from the first, may be heard to detect the language.
    public var languageDetectionSegments = 1
    /// A language more probable than this, from 0 to 1, is taken at once; if no window has one, most windows win.
    public var languageDetectionThreshold = 0.5
    /// Whether to write what is said, or to translate it into English.
    public var task: TranscriptionTask = .transcribe

    /// How many hypotheses beam search keeps at temperature 0; 1 is greedy search.
    public var beamSize = 5
    /// How many samples are drawn at a temperature above 0; the most probable wins.
    public var bestOf = 5
    /// Beam search goes on until this many times ``beamSize`` hypotheses are finished.
    ///
    /// Kasai et al. 2022, "A Call for Clarity in Beam Search".
    public var patience = 1.0
    /// The exponent of the length by which a hypothesis' log probability is divided.
    public var lengthPenalty = 1.0
    /// Divides (or multiplies, when negative) the logits of tokens already written; 1 is off.
    ///
    /// Keskar et al. 2019, "CTRL".
    public var repetitionPenalty = 1.0
    /// Forbids any n-gram of this size to come twice; 0 is off.
    public var noRepeatNGramSize = 0
    /// The temperatures tried in turn while a window's text looks bad; 0 is the most probable text.
    public var temperatures: [Double] = [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    /// The seed of the random numbers used above temperature 0: the same seed gives the same text.
    public var seed: UInt64 = 0

    /// A window whose text compresses better than this (zlib, level 6) is tried at the next temperature; nil is off.
    public var compressionRatioThreshold: Double? = 2.4
    /// A window whose mean log probability is lower than this is tried at the next temperature; nil is off.
    public var logProbabilityThreshold: Double? = -1.0
    /// A window is skipped as silence above this probability, if its text is improbable too; nil is off.
    public var noSpeechThreshold: Double? = 0.6

    /// Whether the text so far is given to the model as context for the next window.
    public var conditionOnPreviousText = true
    /// A window decoded above this temperature is not used as context.
    public var promptResetOnTemperature = 0.5
    /// Text put before the first window as if it had just been said: names, spelling, style.
    public var initialPrompt: String?
    /// The same as tokens; where they are given, ``initialPrompt`` is not used.
    public var initialPromptTokens: [Int]?
    /// Text the first window must begin with.
    public var prefix: String?
    /// Words to expect in every window, given to the model as if they had just been said; ignored with a ``prefix``.
    public var hotwords: String?

    /// Forbids an empty text and a text that begins with a space token.
    public var suppressBlank = true
    /// Tokens never written; -1 stands for the model's list of non-speech symbols.
    public var suppressTokens: [Int] = [-1]
    /// Decodes without timestamp tokens: one segment a window.
    public var withoutTimestamps = false
    /// The latest time, in seconds, at which a window's first segment may start.
    public var maxInitialTimestamp = 1.0

    /// Finds when each word was said.
    public var wordTimestamps = false
    /// Punctuation that belongs to the word after it.
    public var prependedPunctuation = "\"'“¿([{-"
    /// Punctuation that belongs to the word before it.
    public var appendedPunctuation = "\"'.。,，!！?？:：”)]}、"
    /// Skips suspect text with more than this many seconds of silence around it; needs ``wordTimestamps``; nil is off.
    public var hallucinationSilenceThreshold: Double?

    /// Decodes only what a detector takes for speech, and puts the times back to where they were; nil decodes
    /// everything.
    public var voiceActivity: VoiceActivityOptions?
    /// Takes text out that nobody said, and tells what in ``Transcript/guards``; nil keeps all that the model writes.
    ///
    /// Words get times then too, as with ``wordTimestamps``.
    public var guards: GuardOptions?
    /// The only parts of the audio to decode, in seconds and in this order; empty decodes everything.
    ///
    /// `60..<.infinity` reaches to the audio's end. All times stay those of the audio. Not together with
    /// ``voiceActivity``.
    public var clips: [Range<Double>] = []
    /// The most seconds of audio a window gets, from 1 to the model's 30; nil is the model's.
    ///
    /// The encoder still sees a full window, the rest of it empty.
    public var chunkLength: Double?

    /// How many windows are decoded side by side, of one recording or of several, from 1 to 64.
    ///
    /// One is the sequence: a window begins where the text of the one before it ended, and knows that text. With more,
    /// the ``clips`` are decoded independently of each other, or else the speech is, packed into windows; without
    /// ``voiceActivity`` it is found with ``VoiceActivityOptions/batched``. Every window takes memory of its own.
    public var batchSize = 1
    /// The most tokens a window may get, beyond the model's own limit; nil leaves that limit.
    public var maxNewTokens: Int?
    /// How much of the window the encoder looks at.
    public var audioContext: AudioContext = .full

    /// Creates options with faster-whisper's defaults.
    public init(language: String? = nil, task: TranscriptionTask = .transcribe) {
        self.language = language
        self.task = task
    }
}
