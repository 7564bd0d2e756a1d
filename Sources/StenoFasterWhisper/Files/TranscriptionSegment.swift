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
