/// The transcript of one recording: its text, segments and language.
///
/// Its JSON has openai-whisper's field names.
public struct Transcript: Sendable, Codable, Hashable {
    /// The whole text: the segments' texts concatenated, without the leading space.
    public var text: String
    /// The language's code, such as `en`, given or detected; `und` if there is no audio to detect it from.
    public var language: String
    /// The probability of the detected language, from 0 to 1; 1 when the language was given.
    public var languageProbability: Double
    /// The length of the audio in seconds.
    public var duration: Double
    /// The seconds of audio decoded as speech, if voice activity detection was used.
    public var durationAfterVoiceActivity: Double?
    /// The segments, in order of time.
    public var segments: [Segment]
    /// The text removed by guards, in order of removal; nil without ``DecodingOptions/guards``.
    public var guards: [GuardAction]?
    /// What the user should know about the audio, such as that its end is missing or that it has no speech; nil if there
    /// is nothing.
    public var warnings: [TranscriptionWarning]?

    /// Creates a transcript whose text is that of the segments.
    public init(
        language: String, languageProbability: Double, duration: Double, durationAfterVoiceActivity: Double? = nil,
        segments: [Segment], guards: [GuardAction]? = nil, warnings: [TranscriptionWarning]? = nil
    ) {
        self.text = segments.map(\.text).joined().trimmingLeadingSpaces
        self.language = language
        self.languageProbability = languageProbability
        self.duration = duration
        self.durationAfterVoiceActivity = durationAfterVoiceActivity
        self.segments = segments
        self.guards = guards
        self.warnings = warnings
    }

    private enum CodingKeys: String, CodingKey {
        case text, language
        case languageProbability = "language_probability"
        case duration
        case durationAfterVoiceActivity = "duration_after_vad"
        case segments, guards, warnings
    }
}

extension String {
    fileprivate var trimmingLeadingSpaces: String { String(drop { $0 == " " }) }
}
