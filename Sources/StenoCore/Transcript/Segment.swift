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
        (self.id, self.start, self.end, self.text) = (id, start, end, text)
        (self.language, self.words, self.speaker, self.whisper) = (language, words, speaker, whisper)
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
        (self.seek, self.tokens) = (seek, tokens)
        (self.temperature, self.averageLogProbability) = (temperature, averageLogProbability)
        (self.compressionRatio, self.noSpeechProbability) = (compressionRatio, noSpeechProbability)
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

/// A word and its times.
public struct Word: Sendable, Codable, Hashable {
    /// The word as the model generates it, with the preceding space and the punctuation joined to it; in JSON `word`.
    public var rawText: String
    /// The word without the preceding space, for display.
    public var text: String { rawText.trimmingWhitespace }
    /// The start of the word, in seconds from the start of the audio.
    public var start: Double
    /// The end of the word, in seconds; never before ``start``.
    public var end: Double
    /// The mean probability of the word's tokens, from 0 to 1.
    public var probability: Double
    /// The speaker, such as `Speaker 1` or the name of an enrolled voice; nil without speaker labels.
    public var speaker: String?

    /// Creates a word.
    public init(rawText: String, start: Double, end: Double, probability: Double, speaker: String? = nil) {
        (self.rawText, self.start, self.end) = (rawText, start, end)
        (self.probability, self.speaker) = (probability, speaker)
    }

    private enum CodingKeys: String, CodingKey {
        case rawText = "word"
        case start, end, probability, speaker
    }

    /// A word's letters and digits in lower case, for comparing two decodings.
    ///
    /// Commas and capitals account for 45.9 % of the instability of partial results (Shangguan et al. 2020), without
    /// any change in meaning.
    package static func key(_ text: String) -> String {
        String(
            text.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil })
    }
}

/// Text that a guard removed from a transcript, and why.
public struct GuardAction: Sendable, Hashable, Codable {
    /// The kind of hallucination; later versions may add kinds, so a `switch` needs a default.
    public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
        /// The name, as in JSON.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A phrase repeated in a loop.
        public static let repetition = Kind(rawValue: "repetition")
        /// More text than the speech at that time can contain.
        public static let noSpeech = Kind(rawValue: "no_speech")
        /// A repetition of the prompt, the hotwords or the preceding text.
        public static let promptRepetition = Kind(rawValue: "prompt_repetition")
        /// A phrase that Whisper models often hallucinate, such as subtitle credits.
        public static let knownHallucination = Kind(rawValue: "known_hallucination")
    }

    /// The kind of hallucination.
    public var kind: Kind
    /// The start of the text, in seconds from the start of the audio.
    public var start: Double
    /// The end of the text, in seconds.
    public var end: Double
    /// The text as the model wrote it.
    public var text: String
    /// The evidence, as text.
    public var reason: String

    package init(kind: Kind, start: Double, end: Double, text: String, reason: String) {
        (self.kind, self.start, self.end, self.text, self.reason) = (kind, start, end, text, reason)
    }
}

extension StringProtocol {
    package var trimmingWhitespace: String {
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}

extension Collection {
    /// The longest runs of neighbours with equal keys, such as the words of one speaker.
    package func runs<Key: Equatable>(by key: (Element) -> Key) -> [SubSequence] {
        var runs: [SubSequence] = []
        var rest = self[...]
        while let first = rest.first.map(key) {
            let run = rest.prefix { key($0) == first }
            runs.append(run)
            rest = rest[run.endIndex...]
        }
        return runs
    }
}
