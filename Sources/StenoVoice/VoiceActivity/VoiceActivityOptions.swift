public import StenoCore

/// What counts as speech and where it is split: faster-whisper's `VadOptions` with its defaults.
public struct VoiceActivityOptions: Sendable, Hashable, Adjustable {
    /// The detector.
    package var detector = DetectorKind.silero
    /// A window with at least this probability is speech.
    public var threshold = 0.5
    /// Speech continues until the probability falls below this; nil is 0.15 less than the threshold, at least 0.01.
    public var negativeThreshold: Double?
    /// Speech of at most this many milliseconds is dropped.
    public var minSpeechMilliseconds = 0
    /// The maximum length of a chunk of speech, in seconds.
    ///
    /// Longer speech is split at its last silence of more than 98 ms, or at the limit if there is none.
    public var maxSpeechSeconds = Double.infinity
    /// Speech ends after silence of this many milliseconds.
    public var minSilenceMilliseconds = 2000
    /// The milliseconds kept around speech; shorter pauses are divided between the two sides.
    public var speechPadMilliseconds = 400

    /// Creates options; what is not given has faster-whisper's default.
    public init(
        threshold: Double = 0.5, negativeThreshold: Double? = nil,
        minSpeechMilliseconds: Int = 0, maxSpeechSeconds: Double = Double.infinity,
        minSilenceMilliseconds: Int = 2000, speechPadMilliseconds: Int = 400
    ) {
        self.threshold = threshold
        self.negativeThreshold = negativeThreshold
        self.minSpeechMilliseconds = minSpeechMilliseconds
        self.maxSpeechSeconds = maxSpeechSeconds
        self.minSilenceMilliseconds = minSilenceMilliseconds
        self.speechPadMilliseconds = speechPadMilliseconds
    }

    /// faster-whisper's defaults for batched decoding: any pause ends speech, and no chunk is longer than a window.
    package static let batched = {
        var options = VoiceActivityOptions()
        options.minSilenceMilliseconds = 160
        return options
    }()

    /// The probability below which a window is silence.
    var resolvedNegativeThreshold: Double { negativeThreshold ?? max(threshold - 0.15, 0.01) }

    /// Throws an error that names the option if a value is outside its range.
    package func validate() throws {
        let checks: [(Bool, String)] = [
            ((0...1).contains(threshold), "The threshold of voice activity must be from 0 to 1."),
            ((0...1).contains(negativeThreshold ?? 0), "The negative threshold of voice activity must be from 0 to 1."),
            (Self.isLength(minSpeechMilliseconds), "The shortest speech must be 0 milliseconds or more."),
            (maxSpeechSeconds > 0, "The longest speech must be more than 0 seconds."),
            (Self.isLength(minSilenceMilliseconds), "The shortest silence must be 0 milliseconds or more."),
            (Self.isLength(speechPadMilliseconds), "The padding of speech must be 0 milliseconds or more."),
        ]
        if let failed = checks.first(where: { !$0.0 }) { throw StenoError(.invalidOption, failed.1) }
    }

    /// Up to eleven days, so that no sum of samples can overflow.
    private static func isLength(_ milliseconds: Int) -> Bool { (0...1_000_000_000).contains(milliseconds) }
}
