public import StenoCore

/// What counts as speech and where to split it: faster-whisper's `VadOptions` with its defaults.
public struct VoiceActivityOptions: Sendable, Hashable, Adjustable {
    package var detector = DetectorKind.silero
    /// A window with at least this probability, from 0 to 1, is speech.
    public var threshold = 0.5
    /// Speech continues until the probability falls below this; nil is 0.15 less than the threshold, at least 0.01.
    public var negativeThreshold: Double?
    /// Speech this short or shorter is dropped, in seconds.
    public var minSpeechSeconds = 0.0
    /// The maximum length of a chunk of speech, in seconds; more than 0.
    ///
    /// Longer speech is split at its last silence of more than 98 ms, or at the limit if there is none.
    public var maxSpeechSeconds = Double.infinity
    /// Speech ends after silence of this many seconds.
    public var minSilenceSeconds = 2.0
    /// The padding kept around speech, in seconds; shorter pauses are split between the two sides.
    public var speechPadSeconds = 0.4

    /// Creates options; omitted ones have faster-whisper's defaults.
    ///
    /// Using an option outside its range throws `invalidOption`.
    public init(
        threshold: Double = 0.5, negativeThreshold: Double? = nil,
        minSpeechSeconds: Double = 0, maxSpeechSeconds: Double = Double.infinity,
        minSilenceSeconds: Double = 2, speechPadSeconds: Double = 0.4
    ) {
        self.threshold = threshold
        self.negativeThreshold = negativeThreshold
        self.minSpeechSeconds = minSpeechSeconds
        self.maxSpeechSeconds = maxSpeechSeconds
        self.minSilenceSeconds = minSilenceSeconds
        self.speechPadSeconds = speechPadSeconds
    }

    /// faster-whisper's defaults for batched decoding, in which even a short pause ends speech.
    package static let batched = {
        var options = VoiceActivityOptions()
        options.minSilenceSeconds = 0.16
        return options
    }()

    /// The probability below which a window is silence.
    var resolvedNegativeThreshold: Double { negativeThreshold ?? max(threshold - 0.15, 0.01) }

    /// Throws an error that names the option if a value is outside its range.
    package func validate() throws {
        let checks: [(Bool, String)] = [
            ((0...1).contains(threshold), "The threshold of voice activity must be from 0 to 1."),
            ((0...1).contains(negativeThreshold ?? 0), "The negative threshold of voice activity must be from 0 to 1."),
            (Self.isLength(minSpeechSeconds), "The shortest speech must be 0 or more."),
            (maxSpeechSeconds > 0, "The longest speech must be more than 0 seconds."),
            (Self.isLength(minSilenceSeconds), "The shortest silence must be 0 or more."),
            (Self.isLength(speechPadSeconds), "The padding of speech must be 0 or more."),
        ]
        if let failed = checks.first(where: { !$0.0 }) { throw StenoError(.invalidOption, failed.1) }
    }

    /// Up to eleven days, so that no sum of samples can overflow.
    private static func isLength(_ seconds: Double) -> Bool { (0...1_000_000).contains(seconds) }

    /// The nearest number of samples, which is exact for whole milliseconds.
    static func samples(_ seconds: Double) -> Int { Int((seconds * Double(VoiceActivity.sampleRate)).rounded()) }
}
