/// A word with its place in the audio.
public struct Word: Sendable, Codable, Hashable {
    /// The word as written, with the space before it and the punctuation that belongs to it.
    public var word: String
    /// Where the word starts, in seconds.
    public var start: Double
    /// Where the word ends, in seconds; never before ``start``.
    public var end: Double
    /// The mean probability of the word's tokens, from 0 to 1.
    public var probability: Double

    /// Creates a word.
    public init(word: String, start: Double, end: Double, probability: Double) {
        self.word = word
        self.start = start
        self.end = end
        self.probability = probability
    }
}
