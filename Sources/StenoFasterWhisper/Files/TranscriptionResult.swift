import Steno

/// The transcript or the translation of a recording.
///
/// A recording without speech has no segments and an empty ``text``.
public struct TranscriptionResult: Sendable, Hashable, Codable {
    /// The segments, in order.
    public let segments: [TranscriptionSegment]
    /// The code of the spoken language, such as `en`; `und` if it cannot be detected.
    public let language: String
    /// The probability of the language, from 0 to 1; 1 if the language was given.
    public let languageProbability: Float
    /// The duration of the recording, in seconds.
    public let duration: Float

    /// The whole text.
    public var text: String { segments.map(\.text).joined().trimmingWhitespace }

    /// Creates a result.
    public init(segments: [TranscriptionSegment], language: String, languageProbability: Float, duration: Float) {
        self.segments = segments
        self.language = language
        self.languageProbability = languageProbability
        self.duration = duration
    }

    init(_ transcript: Transcript) {
        self.init(
            segments: transcript.segments.map {
                TranscriptionSegment(text: $0.text, start: Float($0.start), end: Float($0.end))
            },
            language: transcript.language, languageProbability: Float(transcript.languageProbability),
            duration: Float(transcript.duration))
    }
}

/// A piece of text and its times.
public struct TranscriptionSegment: Sendable, Hashable, Codable {
    /// The text as the model writes it, usually with a leading space: the segments concatenated are the whole text.
    public let text: String
    /// When it begins, in seconds from the start of the audio.
    public let start: Float
    /// When it ends, in seconds from the start of the audio.
    public let end: Float

    /// Creates a segment.
    public init(text: String, start: Float, end: Float) {
        self.text = text
        self.start = start
        self.end = end
    }
}
