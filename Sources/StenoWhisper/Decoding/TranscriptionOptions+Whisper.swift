public import StenoCore
import StenoVoiceActivity

extension WhisperOptions: FamilyOptions {
    package static var family: String { "Whisper" }
}

extension TranscriptionOptions {
    /// The options of Whisper models; models of other families throw if any of them differs from its default.
    ///
    ///     options.whisper.beamSize = 1
    public var whisper: WhisperOptions {
        get { family as? WhisperOptions ?? WhisperOptions() }
        set {
            // Default values do not count as options of a family, so that every model accepts them.
            if newValue == WhisperOptions() { family = nil } else { family = newValue }
        }
    }

    /// Throws an error that names the option if a value is outside its range, or contradicts another.
    func validateWhisper() throws {
        try validate()
        let own = whisper
        try own.validate()
        try ensure(
            own.hallucinationSilenceThreshold == nil || findsWords, or: .invalidOption,
            "The hallucination threshold needs word timestamps: turn them on as well.")
        try ensure(
            clips.isEmpty || own.voiceActivity == nil, or: .invalidOption,
            "Clips and voice activity both choose what is decoded: give only one of them.")
    }

    /// Whether words get times, which the guards need.
    var findsWords: Bool { wordTimestamps || whisper.guards != nil }

    /// The voice activity options in effect for windows of this many seconds.
    func voiceActivity(windowSeconds: Double) -> VoiceActivityOptions? {
        guard batchSize > 1, clips.isEmpty else { return whisper.voiceActivity }
        var options = whisper.voiceActivity ?? .batched
        options.maxSpeechSeconds = min(options.maxSpeechSeconds, windowSeconds)
        return options
    }

    /// Throws if a Silero network that the options need is not installed, or is damaged.
    func checkNetworks() throws {
        if voiceActivity(windowSeconds: .infinity)?.detector == .silero { _ = try BundledSilero.fasterWhisper() }
        if whisper.guards?.detector == .silero { _ = try BundledSilero.model() }
    }

    /// The Silero network that finds recordings without speech; nil if that is not wanted, or if it is not installed.
    var silero: SileroModel? {
        guard whisper.skipsSilence, voiceActivity(windowSeconds: .infinity) == nil else { return nil }
        return try? BundledSilero.model()
    }
}
