/// What a transcription tells while it runs, in the order in which it comes to know it.
public enum TranscriptionProgressEvent: Sendable {
    /// The language, given or detected; comes once, before the first segment.
    case language(LanguageDetection)
    /// The next segment; it does not change any more.
    case segment(Segment)
    /// How many seconds of the sound are done, of how many if that is known.
    case progress(processed: Double, total: Double?)
}

/// Which language is spoken.
public struct LanguageDetection: Sendable, Hashable, Codable {
    /// The most probable language's code.
    public var language: String
    /// Its probability, from 0 to 1; 1 when the language was given.
    public var probability: Double
    /// The probability of every language the model knows, by code; empty when the language was given.
    public var probabilities: [String: Double]

    /// Creates a detection.
    public init(language: String, probability: Double, probabilities: [String: Double] = [:]) {
        self.language = language
        self.probability = probability
        self.probabilities = probabilities
    }

    /// The most probable of the model's languages.
    init(_ probabilities: [Double], codes: [String]) {
        let best = probabilities.indices.max { probabilities[$0] < probabilities[$1] } ?? 0
        self.init(
            language: codes[best], probability: probabilities[best],
            probabilities: Dictionary(zip(codes, probabilities), uniquingKeysWith: { first, _ in first }))
    }
}
