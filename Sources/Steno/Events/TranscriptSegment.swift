public import StenoCore


/// A piece of live text with its place in the audio.
public struct TranscriptSegment: Sendable, Hashable, Codable, Identifiable {
    /// Counts segments from 0; a partial segment has the id of the final one that may come of it.
    public var id: Int
    /// Where it starts, in seconds; never before the end of the segment before it.
    public var startTime: Double
    /// Where it ends, in seconds.
    public var endTime: Double
    /// What was said, as the model writes it: joined one after the other, segments are the text.
    public var text: String
    /// Whether it will never change.
    public var isFinal: Bool
    /// The words with their times.
    public var words: [Word]
    /// Counts the stretches of speech between pauses: a new one is a good place for a new line.
    public var utterance: Int

    /// Creates a segment.
    public init(
        id: Int, startTime: Double, endTime: Double, text: String, isFinal: Bool, words: [Word] = [],
        utterance: Int = 0
    ) {
        self.id = id
        self.startTime = startTime
        self.endTime = endTime
        self.text = text
        self.isFinal = isFinal
        self.words = words
        self.utterance = utterance
    }
}
