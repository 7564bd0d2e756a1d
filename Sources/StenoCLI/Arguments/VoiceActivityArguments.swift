import ArgumentParser
import Steno
import StenoWhisper

/// Voice activity detection; the defaults are those of faster-whisper's VAD filter.
struct VoiceActivityArguments: ParsableArguments {
    private static let defaults = VoiceActivityOptions()

    /// Durations are in milliseconds here, as in faster-whisper, and in seconds in the library.
    private static func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1000).rounded()) }
    private static func seconds(_ milliseconds: Int?) -> Double? { milliseconds.map { Double($0) / 1000 } }

    @Flag(help: "Decode only detected speech; times still refer to the whole file.") var vadFilter = false
    @Option(
        help:
            "Speech detector: a neural network, or the level above the noise (default: \(defaults.detector.rawValue)).")
    var vadDetector: DetectorKind?
    @Option(
        help: .init(
            "Probability at which speech begins, per 32 ms window (default: \(defaults.threshold)).", valueName: "0..1")
    )
    var vadThreshold: Double?
    @Option(help: .init("Probability below which speech ends (default: 0.15 below the threshold).", valueName: "0..1"))
    var vadNegativeThreshold: Double?
    @Option(
        help: .init("Drop shorter speech (default: \(Self.milliseconds(defaults.minSpeechSeconds))).", valueName: "ms"))
    var vadMinSpeech: Int?
    @Option(help: .init("Split longer speech (default: never).", valueName: "time")) var vadMaxSpeech: Seconds?
    @Option(
        help: .init(
            "Silence that ends speech (default: \(Self.milliseconds(defaults.minSilenceSeconds)); "
                + "\(Self.milliseconds(VoiceActivityOptions.batched.minSilenceSeconds)) in batches).", valueName: "ms"))
    var vadMinSilence: Int?
    @Option(
        help: .init(
            "Padding kept before and after speech (default: \(Self.milliseconds(defaults.speechPadSeconds))).",
            valueName: "ms"))
    var vadSpeechPad: Int?

    /// Whether any option differs from its default.
    private var isTuned: Bool {
        vadDetector != nil || [vadThreshold, vadNegativeThreshold, vadMaxSpeech?.value].contains { $0 != nil }
            || [vadMinSpeech, vadMinSilence, vadSpeechPad].contains { $0 != nil }
    }

    /// The requested options; nil when voice activity is off.
    private func options(isBatched: Bool) -> VoiceActivityOptions? {
        guard vadFilter || isTuned else { return nil }
        var options = isBatched ? .batched : Self.defaults
        options.detector = vadDetector ?? options.detector
        options.threshold = vadThreshold ?? options.threshold
        options.negativeThreshold = vadNegativeThreshold
        options.minSpeechSeconds = Self.seconds(vadMinSpeech) ?? options.minSpeechSeconds
        options.maxSpeechSeconds = vadMaxSpeech?.value ?? options.maxSpeechSeconds
        options.minSilenceSeconds = Self.seconds(vadMinSilence) ?? options.minSilenceSeconds
        options.speechPadSeconds = Self.seconds(vadSpeechPad) ?? options.speechPadSeconds
        return options
    }

    func validate() throws {
        do {
            try options(isBatched: false)?.validate()
        } catch let error as StenoError {
            throw ValidationError(error.message)
        }
    }

    /// Voice activity selects the audio itself, so it excludes clips, and its options require it to be on.
    func validate(clips: Bool, isBatched: Bool = false) throws {
        guard !clips || !vadFilter && !isTuned else {
            throw ValidationError(
                "--offset, --duration or --clip-timestamps and voice activity both select what is decoded: "
                    + "use only one.")
        }
        guard vadFilter || isBatched || !isTuned else {
            throw ValidationError("The --vad options require --vad-filter or a --batch-size above 1.")
        }
    }

    /// Must be applied last: the defaults depend on the batch size.
    func apply(to decoding: inout TranscriptionOptions) {
        decoding.whisper.voiceActivity = options(isBatched: decoding.batchSize > 1)
    }
}
