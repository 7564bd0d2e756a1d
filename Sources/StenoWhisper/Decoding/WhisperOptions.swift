public import StenoCore
public import StenoVoiceActivity

/// Whisper's own options: those of faster-whisper 1.2.1 under Swift names, with its defaults.
///
/// Options for every model (language, task, vocabulary, prompt, word times, clips, batches) are in
/// `TranscriptionOptions`. Steno's own are ``skipsSilence``, which is on by default, ``guards`` and the seed.
public struct WhisperOptions: Sendable, Hashable, Adjustable {
    /// Detects the language of every window, for recordings that change language; ``Segment/language`` then reports it.
    ///
    /// English-only models ignore it.
    public var multilingual = false
    /// The maximum number of windows, from the start, used to detect the language.
    package var languageDetectionSegments = 1
    /// A language more probable than this, from 0 to 1, is accepted at once; if none is, the majority of windows
    /// decides.
    package var languageDetectionThreshold = 0.5

    /// The number of hypotheses in beam search at temperature 0, from 1 to 64; 1 is greedy search.
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
    /// The temperatures tried in turn while a window's text fails the quality thresholds: at least one, from 0 to 100.
    ///
    /// 0 chooses the most probable text.
    public var temperatures: [Double] = [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    /// The seed for sampling above temperature 0: equal seeds give equal texts.
    package var seed: UInt64 = 0

    /// A window whose text has a higher compression ratio (zlib, level 6) is retried at the next temperature; nil turns
    /// this off.
    public var compressionRatioThreshold: Double? = 2.4
    /// A window whose mean log probability is lower is retried at the next temperature; nil turns this off.
    public var logProbabilityThreshold: Double? = -1.0
    /// A window with a higher no-speech probability is skipped as silence if its text is improbable too; nil turns this
    /// off.
    public var noSpeechThreshold: Double? = 0.6

    /// Whether audio without speech gives no text; false matches faster-whisper.
    ///
    /// Digital silence, with samples of at most one 16-bit step (−90 dB), is not decoded. Doubtful text is dropped if
    /// the voice activity network finds no speech in the whole recording; text is doubtful if its mean log probability
    /// is below −0.55 or the no-speech probability is above 0.9.
    public var skipsSilence = true

    /// Whether each window is conditioned on the text before it.
    public var conditionOnPreviousText = true
    /// The text of a window decoded above this temperature is not used as context.
    package var promptResetOnTemperature = 0.5
    /// The prompt as tokens; if set, `TranscriptionOptions.prompt` is ignored.
    package var initialPromptTokens: [Int]?
    /// Text the window at the start of the audio must begin with.
    package var prefix: String?

    /// Suppresses an empty text and a text that begins with a space token.
    package var suppressBlank = true
    /// Suppressed tokens; -1 stands for the non-speech symbols.
    package var suppressTokens: [Int] = [-1]
    /// Decodes without timestamp tokens, which gives one segment per window.
    package var withoutTimestamps = false
    /// The latest time, in seconds, at which a window's first segment may start.
    package var maxInitialTimestamp = 1.0

    /// Punctuation joined to the following word.
    package var prependedPunctuation = "\"'“¿([{-"
    /// Punctuation joined to the preceding word.
    package var appendedPunctuation = "\"'.。,，!！?？:：”)]}、"
    /// Skips suspected hallucinations with more than this many seconds of silence around them; nil turns this off.
    ///
    /// It needs `TranscriptionOptions.wordTimestamps` or ``guards``.
    public var hallucinationSilenceThreshold: Double?

    /// Decodes only detected speech; nil decodes everything, except in batches.
    ///
    /// Times are relative to the original audio. In batches (`TranscriptionOptions.batchSize`), nil means
    /// faster-whisper's detector options for batches. Cannot be combined with `TranscriptionOptions.clips`.
    public var voiceActivity: VoiceActivityOptions?
    /// Removes hallucinations and reports them in ``Transcript/guards``; nil keeps everything the model writes.
    ///
    /// This computes word times, as `TranscriptionOptions.wordTimestamps` does.
    public var guards: GuardOptions?
    /// The maximum audio in a window, in seconds, from 1 to the model's 30; nil is the model's.
    ///
    /// The encoder still processes a full window, padded with silence.
    package var chunkLength: Double?

    /// The maximum number of tokens in a window, in addition to the model's own limit; nil leaves only that limit.
    package var maxNewTokens: Int?
    /// How much of the window the encoder processes.
    package var audioContext: AudioContext = .full

    /// Creates options; omitted ones have faster-whisper's defaults, and ``skipsSilence`` is on.
    ///
    /// The parameters with a property are documented there; these have none. A value outside its range throws
    /// `invalidOption` when it is used.
    ///
    /// - Parameters:
    ///   - languageDetectionSegments: The maximum number of windows, from the start, used to detect the language; at
    ///     least 1.
    ///   - languageDetectionThreshold: A language more probable than this, from 0 to 1, is accepted at once.
    ///   - bestOf: The number of samples drawn at a temperature above 0, from 1 to 64; the most probable one wins.
    ///   - patience: Beam search continues until this many times ``beamSize`` hypotheses have finished; more than 0.
    ///   - lengthPenalty: The exponent of the length by which a hypothesis's log probability is divided.
    ///   - repetitionPenalty: Divides (or, if negative, multiplies) the logits of tokens already written, from 0.001 to
    ///     1000; 1 is off.
    ///   - noRepeatNGramSize: Prevents any n-gram of this size from occurring twice; 0 is off.
    ///   - seed: The seed for sampling above temperature 0: equal seeds give equal texts.
    ///   - promptResetOnTemperature: The text of a window decoded above this temperature is not used as context.
    ///   - prefix: Text the window at the start of the audio must begin with.
    ///   - suppressBlank: Whether to suppress an empty text and a text that begins with a space token.
    ///   - suppressTokens: Suppressed tokens; -1 stands for the non-speech symbols.
    ///   - withoutTimestamps: Whether to decode without timestamp tokens, which gives one segment per window.
    ///   - maxInitialTimestamp: The latest time at which a window's first segment may start, from 0 to 30 seconds.
    ///   - prependedPunctuation: Punctuation joined to the following word.
    ///   - appendedPunctuation: Punctuation joined to the preceding word.
    ///   - chunkLength: The maximum audio in a window, in seconds, from 1 to the model's 30; nil is the model's.
    ///   - maxNewTokens: The maximum number of tokens in a window, in addition to the model's own limit; at least 1.
    public init(
        multilingual: Bool = false, languageDetectionSegments: Int = 1, languageDetectionThreshold: Double = 0.5,
        beamSize: Int = 5, bestOf: Int = 5, patience: Double = 1.0, lengthPenalty: Double = 1.0,
        repetitionPenalty: Double = 1.0, noRepeatNGramSize: Int = 0,
        temperatures: [Double] = [0, 0.2, 0.4, 0.6, 0.8, 1.0], seed: UInt64 = 0,
        compressionRatioThreshold: Double? = 2.4, logProbabilityThreshold: Double? = -1.0,
        noSpeechThreshold: Double? = 0.6, skipsSilence: Bool = true, conditionOnPreviousText: Bool = true,
        promptResetOnTemperature: Double = 0.5, prefix: String? = nil, suppressBlank: Bool = true,
        suppressTokens: [Int] = [-1], withoutTimestamps: Bool = false, maxInitialTimestamp: Double = 1.0,
        prependedPunctuation: String = "\"'“¿([{-",
        appendedPunctuation: String = "\"'.。,，!！?？:：”)]}、", hallucinationSilenceThreshold: Double? = nil,
        voiceActivity: VoiceActivityOptions? = nil, guards: GuardOptions? = nil, chunkLength: Double? = nil,
        maxNewTokens: Int? = nil
    ) {
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
        self.prefix = prefix
        self.suppressBlank = suppressBlank
        self.suppressTokens = suppressTokens
        self.withoutTimestamps = withoutTimestamps
        self.maxInitialTimestamp = maxInitialTimestamp
        self.prependedPunctuation = prependedPunctuation
        self.appendedPunctuation = appendedPunctuation
        self.hallucinationSilenceThreshold = hallucinationSilenceThreshold
        self.voiceActivity = voiceActivity
        self.guards = guards
        self.chunkLength = chunkLength
        self.maxNewTokens = maxNewTokens
    }
}
