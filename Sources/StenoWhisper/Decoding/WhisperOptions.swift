public import StenoCore
public import StenoVoice

/// How a recording is turned into text: the options of faster-whisper 1.2.1 under Swift names, with its defaults.
///
/// Only ``skipsSilence`` differs: it is Steno's own, and on by default.
public struct WhisperOptions: Sendable, Hashable, LanguageOptions, Adjustable {
    /// The spoken language as a code such as `en` or a name such as `english`; nil detects it from the first window.
    public var language: String?
    /// Detects the language of every window anew, for recordings that change language; ``Segment/language`` then
    /// reports it.
    ///
    /// English-only models ignore it.
    public var multilingual = false
    /// The maximum number of windows, from the start, used to detect the language.
    package var languageDetectionSegments = 1
    /// A language more probable than this, from 0 to 1, is accepted at once; if none is, the majority of windows
    /// decides.
    package var languageDetectionThreshold = 0.5
    /// Whether to transcribe what is said or to translate it into English.
    public var task: TranscriptionTask = .transcribe

    /// The number of hypotheses in beam search at temperature 0; 1 is greedy search.
    public var beamSize = 5
    /// The number of samples drawn at a temperature above 0; the most probable one wins.
    package var bestOf = 5
    /// Beam search continues until this many times ``beamSize`` hypotheses have finished.
    ///
    /// Kasai et al. 2022, "A Call for Clarity in Beam Search".
    package var patience = 1.0
    /// The exponent of the length by which a hypothesis's log probability is divided.
    package var lengthPenalty = 1.0
    /// Divides (or, if negative, multiplies) the logits of tokens already written; 1 is off.
    ///
    /// Keskar et al. 2019, "CTRL".
    package var repetitionPenalty = 1.0
    /// Prevents any n-gram of this size from occurring twice; 0 is off.
    package var noRepeatNGramSize = 0
    /// The temperatures tried in turn while a window's text fails the quality thresholds; 0 chooses the most probable
    /// text.
    public var temperatures: [Double] = [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    /// The seed for sampling above temperature 0: equal seeds give equal texts.
    package var seed: UInt64 = 0

    /// A window whose text has a higher compression ratio (zlib, level 6) is retried at the next temperature; nil is
    /// off.
    public var compressionRatioThreshold: Double? = 2.4
    /// A window whose mean log probability is lower is retried at the next temperature; nil is off.
    public var logProbabilityThreshold: Double? = -1.0
    /// A window with a higher no-speech probability is skipped as silence if its text is improbable too; nil is off.
    public var noSpeechThreshold: Double? = 0.6

    /// Whether audio without speech gives no text: digital silence is not decoded, and where a recording has no speech
    /// anywhere, doubtful text is dropped; false is what faster-whisper does.
    ///
    /// No text of a recording with speech is dropped. Samples of at most one step of 16 bits (−90 dB) are digital
    /// silence; whether a recording has speech is decided by the voice activity network, and text is doubtful when its
    /// mean log probability is below −0.55 or the no-speech probability above 0.9.
    public var skipsSilence = true

    /// Whether each window is conditioned on the text before it.
    public var conditionOnPreviousText = true
    /// The text of a window decoded above this temperature is not used as context.
    package var promptResetOnTemperature = 0.5
    /// Text presented to the model as if it preceded the first window: names, spelling, style.
    public var initialPrompt: String?
    /// The same as tokens; if set, ``initialPrompt`` is ignored.
    package var initialPromptTokens: [Int]?
    /// Text the first window must begin with.
    package var prefix: String?
    /// Words to expect, added to the prompt of every window; ignored if there is a `prefix`.
    public var hotwords: String?

    /// Suppresses an empty text and a text that begins with a space token.
    package var suppressBlank = true
    /// Suppressed tokens; -1 stands for the model's list of non-speech symbols.
    package var suppressTokens: [Int] = [-1]
    /// Decodes without timestamp tokens, which gives one segment per window.
    package var withoutTimestamps = false
    /// The latest time, in seconds, at which a window's first segment may start.
    package var maxInitialTimestamp = 1.0

    /// Finds when each word was said.
    public var wordTimestamps = false
    /// Punctuation joined to the following word.
    package var prependedPunctuation = "\"'“¿([{-"
    /// Punctuation joined to the preceding word.
    package var appendedPunctuation = "\"'.。,，!！?？:：”)]}、"
    /// Skips suspected hallucinations with more than this many seconds of silence around them; needs
    /// ``wordTimestamps``; nil is off.
    public var hallucinationSilenceThreshold: Double?

    /// Decodes only the speech that a detector finds, with times relative to the original audio; nil decodes
    /// everything.
    public var voiceActivity: VoiceActivityOptions?
    /// Removes hallucinations and reports them in ``Transcript/guards``; nil keeps everything the model writes.
    ///
    /// This computes word times, as ``wordTimestamps`` does.
    public var guards: GuardOptions?
    /// The parts of the audio to decode, in seconds and in this order; empty decodes everything.
    ///
    /// `60..<.infinity` extends to the end of the audio. Times remain relative to the whole audio. Cannot be combined
    /// with ``voiceActivity``.
    public var clips: [Range<Double>] = []
    /// The maximum audio in a window, in seconds, from 1 to the model's 30; nil is the model's.
    ///
    /// The encoder still processes a full window, padded with silence.
    package var chunkLength: Double?

    /// The number of windows decoded as one batch, of one recording or of several, from 1 to 64.
    ///
    /// 1 is sequential decoding: a window begins where the text of the previous one ended and is conditioned on that
    /// text. Above 1, the ``clips`` are decoded independently of each other; without clips, the recording's speech is
    /// packed into windows, using voice activity detection with faster-whisper's options for batches unless
    /// ``voiceActivity`` is set. Each window adds to the memory in use.
    public var batchSize = 1
    /// The maximum number of tokens in a window, in addition to the model's own limit; nil leaves only that limit.
    package var maxNewTokens: Int?
    /// How much of the window the encoder processes.
    package var audioContext: AudioContext = .full

    /// Creates options; what is not given has faster-whisper's default, and ``skipsSilence`` is on.
    public init(
        language: String? = nil, task: TranscriptionTask = .transcribe, multilingual: Bool = false,
        languageDetectionSegments: Int = 1, languageDetectionThreshold: Double = 0.5, beamSize: Int = 5,
        bestOf: Int = 5, patience: Double = 1.0, lengthPenalty: Double = 1.0, repetitionPenalty: Double = 1.0,
        noRepeatNGramSize: Int = 0, temperatures: [Double] = [0, 0.2, 0.4, 0.6, 0.8, 1.0], seed: UInt64 = 0,
        compressionRatioThreshold: Double? = 2.4, logProbabilityThreshold: Double? = -1.0,
        noSpeechThreshold: Double? = 0.6, skipsSilence: Bool = true, conditionOnPreviousText: Bool = true,
        promptResetOnTemperature: Double = 0.5, initialPrompt: String? = nil,
        prefix: String? = nil, hotwords: String? = nil, suppressBlank: Bool = true, suppressTokens: [Int] = [-1],
        withoutTimestamps: Bool = false, maxInitialTimestamp: Double = 1.0, wordTimestamps: Bool = false,
        prependedPunctuation: String = "\"'“¿([{-",
        appendedPunctuation: String = "\"'.。,，!！?？:：”)]}、", hallucinationSilenceThreshold: Double? = nil,
        voiceActivity: VoiceActivityOptions? = nil, guards: GuardOptions? = nil, clips: [Range<Double>] = [],
        chunkLength: Double? = nil, batchSize: Int = 1, maxNewTokens: Int? = nil
    ) {
        self.language = language
        self.task = task
        self.multilingual = multilingual
        self.languageDetectionSegments = languageDetectionSegments
        self.languageDetectionThreshold = languageDetectionThreshold
        self.beamSize = beamSize
        self.bestOf = bestOf
        self.patience = patience
        self.lengthPenalty = lengthPenalty
        self.repetitionPenalty = repetitionPenalty
        self.noRepeatNGramSize = noRepeatNGramSize
        self.temperatures = temperatures
        self.seed = seed
        self.compressionRatioThreshold = compressionRatioThreshold
        self.logProbabilityThreshold = logProbabilityThreshold
        self.noSpeechThreshold = noSpeechThreshold
        self.skipsSilence = skipsSilence
        self.conditionOnPreviousText = conditionOnPreviousText
        self.promptResetOnTemperature = promptResetOnTemperature
        self.initialPrompt = initialPrompt
        self.prefix = prefix
        self.hotwords = hotwords
        self.suppressBlank = suppressBlank
        self.suppressTokens = suppressTokens
        self.withoutTimestamps = withoutTimestamps
        self.maxInitialTimestamp = maxInitialTimestamp
        self.wordTimestamps = wordTimestamps
        self.prependedPunctuation = prependedPunctuation
        self.appendedPunctuation = appendedPunctuation
        self.hallucinationSilenceThreshold = hallucinationSilenceThreshold
        self.voiceActivity = voiceActivity
        self.guards = guards
        self.clips = clips
        self.chunkLength = chunkLength
        self.batchSize = batchSize
        self.maxNewTokens = maxNewTokens
    }
}
