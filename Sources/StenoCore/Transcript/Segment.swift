/// A segment of speech with its text and times: the properties common to every model family.
///
/// Its JSON is flat and has openai-whisper's field names, so that programs written for that output can read it. The
/// fields of ``whisper`` are absent if it is nil.
public struct Segment: Sendable, Codable, Hashable, Identifiable {
    /// The segment's index in its transcript, from 0.
    public var id: Int
    /// The start of the segment, in seconds from the start of the audio.
    public var start: Double
    /// The end of the segment, in seconds; never before ``start``.
    public var end: Double
    /// The text as the model writes it, which usually begins with a space.
    public var text: String
    /// The language of the segment, if it was detected for each window.
    public var language: String?
    /// The words with their times, if word timestamps were requested.
    public var words: [Word]?
    /// The speaker, such as `Speaker 1` or the name of an enrolled voice; nil without speaker labels.
    public var speaker: String?
    /// Properties specific to Whisper; nil for other models and for live text.
    public var whisper: WhisperSegmentDetails?

    /// Creates a segment.
    public init(
        id: Int, start: Double, end: Double, text: String, language: String? = nil, words: [Word]? = nil,
        speaker: String? = nil, whisper: WhisperSegmentDetails? = nil
    ) {
        self.id = id
        self.start = start
        self.end = end
        self.text = text
        self.language = language
        self.words = words
        self.speaker = speaker
        self.whisper = whisper
    }

    private enum CodingKeys: String, CodingKey {
        case id, start, end, text, language, words, speaker
    }

    /// Decodes openai-whisper's flat format.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(Int.self, forKey: .id), start: try container.decode(Double.self, forKey: .start),
            end: try container.decode(Double.self, forKey: .end),
            text: try container.decode(String.self, forKey: .text),
            language: try container.decodeIfPresent(String.self, forKey: .language),
            words: try container.decodeIfPresent([Word].self, forKey: .words),
            speaker: try container.decodeIfPresent(String.self, forKey: .speaker),
            whisper: WhisperSegmentDetails.isPresent(in: decoder) ? try WhisperSegmentDetails(from: decoder) : nil)
    }

    /// Encodes openai-whisper's flat format.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(start, forKey: .start)
        try container.encode(end, forKey: .end)
        try container.encode(text, forKey: .text)
        try whisper?.encode(to: encoder)
        try container.encodeIfPresent(language, forKey: .language)
        try container.encodeIfPresent(words, forKey: .words)
        try container.encodeIfPresent(speaker, forKey: .speaker)
    }
}

/// A segment's properties specific to Whisper: its tokens, and how its window was decoded.
public struct WhisperSegmentDetails: Sendable, Codable, Hashable {
    /// The position in the audio from which the window was decoded, in frames of 10 ms; with voice activity detection,
    /// in the joined speech.
    package var seek: Int
    /// The token ids, timestamps included.
    public var tokens: [Int]
    /// The temperature of the decoding that was accepted; 0 is the most probable text.
    public var temperature: Double
    /// The mean natural-log probability of the window's tokens, end of text included.
    public var averageLogProbability: Double
    /// The window's text length over its zlib-compressed length; above 2.4 the text probably repeats itself.
    public var compressionRatio: Double
    /// The model's probability that the window contains no speech, from 0 to 1.
    public var noSpeechProbability: Double

    package init(
        seek: Int, tokens: [Int], temperature: Double, averageLogProbability: Double, compressionRatio: Double,
        noSpeechProbability: Double
    ) {
        self.seek = seek
        self.tokens = tokens
        self.temperature = temperature
        self.averageLogProbability = averageLogProbability
        self.compressionRatio = compressionRatio
        self.noSpeechProbability = noSpeechProbability
    }

    /// The seconds from one timestamp token to the next.
    package static let timestampStep = 0.02

    private enum CodingKeys: String, CodingKey {
        case seek, tokens, temperature
        case averageLogProbability = "avg_logprob"
        case compressionRatio = "compression_ratio"
        case noSpeechProbability = "no_speech_prob"
    }

    fileprivate static func isPresent(in decoder: any Decoder) -> Bool {
        (try? decoder.container(keyedBy: CodingKeys.self))?.contains(.tokens) ?? false
    }
}
