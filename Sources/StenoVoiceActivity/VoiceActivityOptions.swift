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

    /// Creates options with faster-whisper's defaults.
    ///
    /// Using an option outside its range throws `invalidOption`.
    public init() {}

    /// faster-whisper's defaults for batched decoding, in which even a short pause ends speech.
    package static let batched = VoiceActivityOptions().with { $0.minSilenceSeconds = 0.16 }

    /// The probability below which a window is silence.
    var resolvedNegativeThreshold: Double { negativeThreshold ?? max(threshold - 0.15, 0.01) }

    /// The nearest number of samples, which is exact for whole milliseconds.
    static func samples(_ seconds: Double) -> Int { Int((seconds * Double(VoiceActivity.sampleRate)).rounded()) }
}

extension VoiceActivityOptions: Codable, OptionTable {
    package static var fields: OptionFields<Self> {
        // Up to eleven days, so that no sum of samples can overflow.
        let lengths = 0...1_000_000.0
        return [
            .init("detector", \.detector),
            .init("threshold", \.threshold, in: 0...1, or: "The threshold of voice activity must be from 0 to 1."),
            .init(
                "negativeThreshold", \.negativeThreshold, in: 0...1,
                or: "The negative threshold of voice activity must be from 0 to 1."),
            .init("minSpeechSeconds", \.minSpeechSeconds, in: lengths, or: "The shortest speech must be 0 or more."),
            // JSON has no infinity, so the field is left out if there is no limit.
            .init("maxSpeechSeconds", \.maxSpeechSeconds, encode: { $0.isFinite ? $0 : nil }, decode: { $0 })
                .rule("The longest speech must be more than 0 seconds.") { $0.maxSpeechSeconds > 0 },
            .init("minSilenceSeconds", \.minSilenceSeconds, in: lengths, or: "The shortest silence must be 0 or more."),
            .init("speechPadSeconds", \.speechPadSeconds, in: lengths, or: "The padding of speech must be 0 or more."),
        ]
    }
}
