/// A stretch of speech with its text: what Whisper puts between two timestamps.
///
/// Encoded as JSON it has the field names of openai-whisper, so that programs written for that output read this one.
public struct Segment: Sendable, Codable, Hashable, Identifiable {
    /// The segment's number in its transcript, from 0.
    public var id: Int
    /// The position in the sound from which the window was decoded, in frames of 10 ms; with
    /// ``DecodingOptions/voiceActivity``, in the speech alone.
    public var seek: Int
    /// Where the segment starts, in seconds from the start of the sound.
    public var start: Double
    /// Where the segment ends, in seconds; never before ``start``.
    public var end: Double
    /// What was said, as the model writes it: it usually begins with a space.
    public var text: String
    /// The token ids, timestamps included.
    public var tokens: [Int]
    /// The temperature the window was finally decoded with; 0 is the most probable text.
    public var temperature: Double
    /// The mean natural-log probability of the window's tokens, end of text included.
    public var averageLogProbability: Double
    /// The window's text length over its zlib-compressed length; above 2.4 the text probably repeats itself.
    public var compressionRatio: Double
    /// How probable the model finds it that nobody speaks in the window, from 0 to 1.
    public var noSpeechProbability: Double
    /// The language of the segment's window, when each window was asked for its own.
    public var language: String?
    /// The words with their times, when word timestamps were asked for.
    public var words: [Word]?

    /// Creates a segment.
    public init(
        id: Int, seek: Int, start: Double, end: Double, text: String, tokens: [Int], temperature: Double,
        averageLogProbability: Double, compressionRatio: Double, noSpeechProbability: Double, language: String? = nil,
        words: [Word]? = nil
    ) {
        self.id = id
        self.seek = seek
        self.start = start
        self.end = end
        self.text = text
        self.tokens = tokens
        self.temperature = temperature
        self.averageLogProbability = averageLogProbability
        self.compressionRatio = compressionRatio
        self.noSpeechProbability = noSpeechProbability
        self.language = language
        self.words = words
    }

    /// The seconds from one timestamp token to the next.
    static let timestampStep = 0.02

    private enum CodingKeys: String, CodingKey {
        case id, seek, start, end, text, tokens, temperature
        case averageLogProbability = "avg_logprob"
        case compressionRatio = "compression_ratio"
        case noSpeechProbability = "no_speech_prob"
        case language, words
    }
}

/// A word with its place in the sound.
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
