import ArgumentParser
import Steno

/// What is taken for speech; the defaults are those of faster-whisper's VAD filter.
struct VoiceActivityArguments: ParsableArguments {
    private static let defaults = VoiceActivityOptions()

    @Flag(name: .long, help: "Decode only what sounds like speech; all times stay those of the file.")
    var vadFilter = false
    @Option(
        name: .long,
        help: "What listens: a small network, or the level against the noise (default: \(defaults.detector.rawValue)).")
    var vadDetector: VoiceActivityOptions.Detector?
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The probability from which on a window of 32 ms is speech (default: \(defaults.threshold)).",
            valueName: "0…1"))
    var vadThreshold: Double?
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The probability below which speech ends (default: 0.15 less than the threshold).", valueName: "0…1"))
    var vadNegativeThreshold: Double?
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Drop speech that is not longer (default: \(defaults.minSpeechMilliseconds)).", valueName: "ms"))
    var vadMinSpeech: Int?
    @Option(name: .long, help: ArgumentHelp("Cut speech that is longer (default: never).", valueName: "seconds"))
    var vadMaxSpeech: Double?
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The silence that ends speech (default: \(defaults.minSilenceMilliseconds), with --batch-size "
                + "\(VoiceActivityOptions.batched.minSilenceMilliseconds)).", valueName: "ms"))
    var vadMinSilence: Int?
    @Option(
        name: .long,
        help: ArgumentHelp(
            "What is kept before and after speech (default: \(defaults.speechPadMilliseconds)).", valueName: "ms"))
    var vadSpeechPad: Int?

    /// Whether speech is to be chosen in another way than by default.
    private var isTuned: Bool {
        vadDetector != nil || [vadThreshold, vadNegativeThreshold, vadMaxSpeech].contains { $0 != nil }
            || [vadMinSpeech, vadMinSilence, vadSpeechPad].contains { $0 != nil }
    }

    /// The options asked for; nil when nothing was.
    private func options(isBatched: Bool) -> VoiceActivityOptions? {
        guard vadFilter || isTuned else { return nil }
        var options = isBatched ? .batched : Self.defaults
        options.detector = vadDetector ?? options.detector
        options.threshold = vadThreshold ?? options.threshold
        options.negativeThreshold = vadNegativeThreshold
        options.minSpeechMilliseconds = vadMinSpeech ?? options.minSpeechMilliseconds
        options.maxSpeechSeconds = vadMaxSpeech ?? options.maxSpeechSeconds
        options.minSilenceMilliseconds = vadMinSilence ?? options.minSilenceMilliseconds
        options.speechPadMilliseconds = vadSpeechPad ?? options.speechPadMilliseconds
        return options
    }

    func validate() throws {
        do {
            try options(isBatched: false)?.validate()
        } catch let error as StenoError {
            throw ValidationError(error.message)
        }
    }

    /// Voice activity chooses the audio on its own, and only where it is asked to.
    func validate(clips: Bool, isBatched: Bool = false) throws {
        guard !clips || !vadFilter && !isTuned else {
            throw ValidationError(
                "--clip-timestamps and voice activity both choose what is decoded: give only one of them.")
        }
        guard vadFilter || isBatched || !isTuned else {
            throw ValidationError("The --vad options need --vad-filter.")
        }
    }

    /// Goes last: the defaults depend on the batch size.
    func apply(to decoding: inout DecodingOptions) {
        decoding.voiceActivity = options(isBatched: decoding.batchSize > 1)
    }
}
