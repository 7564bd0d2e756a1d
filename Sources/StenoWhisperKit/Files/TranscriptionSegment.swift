import Steno

/// A piece of text with its times and decoding details.
public struct TranscriptionSegment: Sendable, Hashable, Codable, Identifiable {
    /// The index of the segment, from 0; it does not change when the segment is confirmed.
    public var id: Int
    /// The frame at which the decoding began, in hundredths of a second.
    public var seek: Int
    /// When it begins, in seconds from the start of the audio.
    public var start: Float
    /// When it ends, in seconds from the start of the audio.
    public var end: Float
    /// The text as the model writes it, usually with a leading space and without special tokens.
    public var text: String
    /// The tokens; empty in live text.
    public var tokens: [Int]
    /// The temperature at which it was decoded.
    public var temperature: Float
    /// The mean log probability of the tokens.
    public var avgLogprob: Float
    /// The compression ratio of the text, which is high for repetitions.
    public var compressionRatio: Float
    /// The no-speech probability, from 0 to 1.
    public var noSpeechProb: Float
    /// The words, in live text or if requested.
    public var words: [WordTiming]?

    /// The seconds from start to end.
    public var duration: Float { end - start }

    /// Creates a segment.
    public init(
        id: Int = 0, seek: Int = 0, start: Float = 0, end: Float = 0, text: String = "", tokens: [Int] = [],
        temperature: Float = 0, avgLogprob: Float = 0, compressionRatio: Float = 1, noSpeechProb: Float = 0,
        words: [WordTiming]? = nil
    ) {
        (self.id, self.seek, self.start, self.end) = (id, seek, start, end)
        (self.text, self.tokens, self.temperature, self.avgLogprob) = (text, tokens, temperature, avgLogprob)
        (self.compressionRatio, self.noSpeechProb, self.words) = (compressionRatio, noSpeechProb, words)
    }

    /// - Parameter tokenizer: The model's, which finds the tokens of the words.
    init(_ segment: Segment, _ tokenizer: (any WhisperTokenizer)?) {
        let details = segment.whisper
        let tokens = WordTokens(details?.tokens ?? [], tokenizer)
        self.init(
            id: segment.id, seek: details?.seek ?? 0, start: Float(segment.start), end: Float(segment.end),
            text: segment.text, tokens: details?.tokens ?? [], temperature: Float(details?.temperature ?? 0),
            avgLogprob: Float(details?.averageLogProbability ?? 0),
            compressionRatio: Float(details?.compressionRatio ?? 1),
            noSpeechProb: Float(details?.noSpeechProbability ?? 0), words: segment.words.map(tokens.divided))
    }

    init(_ live: LiveSegment) {
        self.init(
            id: live.id, start: Float(live.start), end: Float(live.end), text: live.text,
            words: live.words.map { WordTiming($0) })
    }
}

/// A word and its times.
public struct WordTiming: Sendable, Hashable, Codable {
    /// The word, with the space before it and punctuation.
    public var word: String
    /// Its tokens; empty in live text, or if the tokens of a segment cannot be divided among its words.
    public var tokens: [Int]
    /// When it begins, in seconds from the start of the audio.
    public var start: Float
    /// When it ends, in seconds from the start of the audio.
    public var end: Float
    /// Its probability, from 0 to 1.
    public var probability: Float

    /// The seconds from start to end.
    public var duration: Float { end - start }

    /// Creates a word.
    public init(word: String, tokens: [Int] = [], start: Float, end: Float, probability: Float) {
        (self.word, self.tokens, self.start) = (word, tokens, start)
        (self.end, self.probability) = (end, probability)
    }

    init(_ word: Word, tokens: [Int] = []) {
        self.init(
            word: word.rawText, tokens: tokens, start: Float(word.start), end: Float(word.end),
            probability: Float(word.probability))
    }
}

/// Divides the tokens of a segment among its words.
struct WordTokens {
    private let tokens: [Int]
    private let tokenizer: (any WhisperTokenizer)?

    /// - Parameter tokens: All tokens; only text tokens count.
    init(_ tokens: [Int], _ tokenizer: (any WhisperTokenizer)?) {
        self.tokens = tokens.filter { $0 < tokenizer?.specialTokens.specialTokenBegin ?? 0 }
        self.tokenizer = tokenizer
    }

    /// The words with their tokens, in order; without tokens if the words do not match the tokens' text.
    func divided(_ words: [Word]) -> [WordTiming] {
        var rest = tokens[...]
        let parts = words.map { take($0.rawText, from: &rest) }
        let isWhole = rest.isEmpty && parts.allSatisfy { $0 != nil }
        return zip(words, parts).map { WordTiming($0, tokens: isWhole ? $1 ?? [] : []) }
    }

    /// The next tokens, whose text is the word; nil if there are none.
    private func take(_ word: String, from rest: inout ArraySlice<Int>) -> [Int]? {
        // A token has at least one byte of the word; a character may need several of them.
        for count in 1..<max(1, min(rest.count, word.utf8.count) + 1)
        where tokenizer?.decode(tokens: Array(rest.prefix(count))) == word {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        return nil
    }
}
