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
    /// The maximum number of windows, from the start, used to detect the language; at least 1.
    public var languageDetectionSegments = 1
    /// A language more probable than this, from 0 to 1, is accepted at once; if none is, the majority of windows
    /// decides.
    public var languageDetectionThreshold = 0.5

    /// The number of hypotheses in beam search at temperature 0, from 1 to 64; 1 is greedy search.
    public var beamSize = 5
    /// The number of samples drawn at a temperature above 0, from 1 to 64; the most probable one wins.
    public var bestOf = 5
    /// Beam search continues until this many times ``beamSize`` hypotheses have finished; more than 0.
    ///
    /// Kasai et al. 2022, "A Call for Clarity in Beam Search".
    public var patience = 1.0
    /// The exponent of the length by which a hypothesis's log probability is divided.
    public var lengthPenalty = 1.0
    /// Divides (or, if negative, multiplies) the logits of tokens already written, from 0.001 to 1000; 1 is off.
    ///
    /// Keskar et al. 2019, "CTRL".
    public var repetitionPenalty = 1.0
    /// Prevents any n-gram of this size from occurring twice; 0 is off.
    public var noRepeatNGramSize = 0
    /// The temperatures tried in turn while a window's text fails the quality thresholds: at least one, from 0 to 100.
    ///
    /// 0 chooses the most probable text.
    public var temperatures: [Double] = [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    /// The seed for sampling above temperature 0: equal seeds give equal texts.
    public var seed: UInt64 = 0

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
    public var promptResetOnTemperature = 0.5
    /// The prompt as tokens; if set, `TranscriptionOptions.prompt` is ignored.
    package var initialPromptTokens: [Int]?
    /// Text the window at the start of the audio must begin with.
    public var prefix: String?

    /// Suppresses an empty text and a text that begins with a space token.
    public var suppressBlank = true
    /// Suppressed tokens; -1 stands for the non-speech symbols.
    public var suppressTokens: [Int] = [-1]
    /// Decodes without timestamp tokens, which gives one segment per window.
    public var withoutTimestamps = false
    /// The latest time at which a window's first segment may start, from 0 to 30 seconds.
    public var maxInitialTimestamp = 1.0

    /// Punctuation joined to the following word.
    public var prependedPunctuation = "\"'“¿([{-"
    /// Punctuation joined to the preceding word.
    public var appendedPunctuation = "\"'.。,，!！?？:：”)]}、"
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
    public var chunkLength: Double?

    /// The maximum number of tokens in a window, in addition to the model's own limit; at least 1, or nil for only that
    /// limit.
    public var maxNewTokens: Int?
    /// How much of the window the encoder processes.
    package var audioContext: AudioContext = .full

    /// Creates options with faster-whisper's defaults, except that ``skipsSilence`` is on.
    ///
    /// A value outside its range throws `invalidOption` when it is used.
    public init() {}
}

extension WhisperOptions: Codable, OptionTable {
    package static var fields: OptionFields<Self> {
        [
            .init("multilingual", \.multilingual),
            .init(
                "languageDetectionSegments", \.languageDetectionSegments, in: 1...,
                or: "The language must be detected from at least 1 window."),
            .init(
                "languageDetectionThreshold", \.languageDetectionThreshold, in: 0...1,
                or: "The language detection threshold must be from 0 to 1."),
            .init("beamSize", \.beamSize, in: 1...64, or: "The beam size must be from 1 to 64."),
            .init("bestOf", \.bestOf, in: 1...64, or: "The number of samples (best of) must be from 1 to 64."),
            .init("patience", \.patience).rule("The patience must be more than 0.") {
                $0.patience > 0 && $0.patience.isFinite
            },
            .init("lengthPenalty", \.lengthPenalty).rule("The length penalty must be a number.") {
                $0.lengthPenalty.isFinite
            },
            .init(
                "repetitionPenalty", \.repetitionPenalty, in: 0.001...1000,
                or: "The repetition penalty must be from 0.001 to 1000."),
            .init("noRepeatNGramSize", \.noRepeatNGramSize, in: 0..., or: "The n-gram size must be 0 (off) or more."),
            .init("temperatures", \.temperatures)
                .rule("Give at least one temperature.") { !$0.temperatures.isEmpty }
                .rule("A temperature must be from 0 to 100.") { $0.temperatures.allSatisfy((0...100).contains) },
            .init("seed", \.seed),
            .init("compressionRatioThreshold", \.compressionRatioThreshold),
            .init("logProbabilityThreshold", \.logProbabilityThreshold),
            .init("noSpeechThreshold", \.noSpeechThreshold),
            .init("skipsSilence", \.skipsSilence),
            .init("conditionOnPreviousText", \.conditionOnPreviousText),
            .init("promptResetOnTemperature", \.promptResetOnTemperature),
            .init("initialPromptTokens", \.initialPromptTokens),
            .init("prefix", \.prefix),
            .init("suppressBlank", \.suppressBlank),
            .init("suppressTokens", \.suppressTokens),
            .init("withoutTimestamps", \.withoutTimestamps),
            .init(
                "maxInitialTimestamp", \.maxInitialTimestamp, in: 0...30,
                or: "The first timestamp's limit is 0 to 30 seconds."),
            .init("prependedPunctuation", \.prependedPunctuation),
            .init("appendedPunctuation", \.appendedPunctuation),
            .init(
                "hallucinationSilenceThreshold", \.hallucinationSilenceThreshold, in: 0...,
                or: "The hallucination threshold must be 0 seconds or more."),
            .init("voiceActivity", \.voiceActivity).checking { try $0.voiceActivity?.validate() },
            .init("guards", \.guards).checking { try $0.guards?.validate() },
            .init("chunkLength", \.chunkLength),
            .init("maxNewTokens", \.maxNewTokens, in: 1..., or: "The number of new tokens must be at least 1."),
            .init("audioContext", \.audioContext),
        ]
    }
}
