/// Everything that was said in one recording: the text, its segments and its language.
///
/// Encoded as JSON it has the field names of openai-whisper.
public struct Transcript: Sendable, Codable, Hashable {
    /// The whole text: the segments' texts joined, without the first space.
    public var text: String
    /// The language's code, such as `en`, given or detected.
    public var language: String
    /// How probable the detected language was, from 0 to 1; 1 when the language was given.
    public var languageProbability: Double
    /// The length of the audio in seconds.
    public var duration: Double
    /// How many seconds of the audio were taken for speech and decoded, when the rest was left out.
    public var durationAfterVoiceActivity: Double?
    /// The segments, in the order of their times.
    public var segments: [Segment]
    /// What guards took out of the text, in the order in which they did; nil without ``DecodingOptions/guards``.
    public var guards: [GuardAction]?

    /// Creates a transcript; its text is that of the segments.
    public init(
        language: String, languageProbability: Double, duration: Double, durationAfterVoiceActivity: Double? = nil,
        segments: [Segment], guards: [GuardAction]? = nil
    ) {
        self.text = segments.map(\.text).joined().trimmingLeadingSpaces
        self.language = language
        self.languageProbability = languageProbability
        self.duration = duration
        self.durationAfterVoiceActivity = durationAfterVoiceActivity
        self.segments = segments
        self.guards = guards
    }

    private enum CodingKeys: String, CodingKey {
        case text, language
        case languageProbability = "language_probability"
        case duration
        case durationAfterVoiceActivity = "duration_after_vad"
        case segments, guards
    }
}

extension String {
    fileprivate var trimmingLeadingSpaces: String { String(drop { $0 == " " }) }
}
