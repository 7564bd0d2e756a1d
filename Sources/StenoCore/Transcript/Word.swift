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
        self.rawText = rawText
        self.start = start
        self.end = end
        self.probability = probability
        self.speaker = speaker
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
