import Steno

/// A piece of text, when it was said, and how it was decoded.
public struct TranscriptionSegment: Sendable, Hashable, Codable, Identifiable {
    /// The number of the segment, from 0; it does not change when the segment is confirmed.
    public var id: Int
    /// The frame at which the decoding began, in hundredths of a second.
    public var seek: Int
    /// When it begins, in seconds from the start of the audio.
    public var start: Float
    /// When it ends, in seconds from the start of the audio.
    public var end: Float
    /// The text as the model writes it, usually with a space at its front; it has no special tokens.
    public var text: String
    /// The tokens; empty in live text.
    public var tokens: [Int]
    /// The temperature at which it was decoded.
    public var temperature: Float
    /// The mean log probability of the tokens.
    public var avgLogprob: Float
    /// How well the text compresses: repetitions have a high ratio.
    public var compressionRatio: Float
    /// The probability that nobody speaks, from 0 to 1.
    public var noSpeechProb: Float
    /// The words, in live text and where they were asked for.
    public var words: [WordTiming]?

    /// The seconds from start to end.
    public var duration: Float { end - start }

    /// Creates a segment.
    public init(
        id: Int = 0, seek: Int = 0, start: Float = 0, end: Float = 0, text: String = "", tokens: [Int] = [],
        temperature: Float = 0, avgLogprob: Float = 0, compressionRatio: Float = 1, noSpeechProb: Float = 0,
        words: [WordTiming]? = nil
    ) {
        self.id = id
        self.seek = seek
        self.start = start
        self.end = end
        self.text = text
        self.tokens = tokens
        self.temperature = temperature
        self.avgLogprob = avgLogprob
        self.compressionRatio = compressionRatio
        self.noSpeechProb = noSpeechProb
        self.words = words
    }

    /// A segment of a recording.
    init(_ segment: Segment) {
        let details = segment.whisper
        self.init(
            id: segment.id, seek: details?.seek ?? 0, start: Float(segment.start), end: Float(segment.end),
            text: segment.text, tokens: details?.tokens ?? [], temperature: Float(details?.temperature ?? 0),
            avgLogprob: Float(details?.averageLogProbability ?? 0),
            compressionRatio: Float(details?.compressionRatio ?? 1),
            noSpeechProb: Float(details?.noSpeechProbability ?? 0), words: segment.words?.map(WordTiming.init))
    }

    /// A segment of a stream.
    init(_ live: TranscriptSegment) {
        self.init(
            id: live.id, start: Float(live.startTime), end: Float(live.endTime), text: live.text,
            words: live.words.map(WordTiming.init))
    }
}

/// A word and when it was said.
public struct WordTiming: Sendable, Hashable, Codable {
    /// The word, with the space before it and punctuation.
    public var word: String
    /// When it begins, in seconds from the start of the audio.
    public var start: Float
    /// When it ends, in seconds from the start of the audio.
    public var end: Float
    /// Its probability, from 0 to 1.
    public var probability: Float

    /// The seconds from start to end.
    public var duration: Float { end - start }

    /// Creates a word.
    public init(word: String, start: Float, end: Float, probability: Float) {
        self.word = word
        self.start = start
        self.end = end
        self.probability = probability
    }

    init(_ word: Word) {
        self.init(
            word: word.word, start: Float(word.start), end: Float(word.end), probability: Float(word.probability))
    }
}
