/// The result of language detection.
public struct LanguageDetection: Sendable, Hashable, Codable {
    /// The code of the most probable language.
    public var language: String
    /// Its probability, from 0 to 1; 1 when the language was given, or the model knows only English.
    public var probability: Double
    /// The probability of every language the model supports, from 0 to 1, by code; empty if nothing was detected.
    public var probabilities: [String: Double]

    package init(language: String, probability: Double, probabilities: [String: Double] = [:]) {
        self.language = language
        self.probability = probability
        self.probabilities = probabilities
    }

    /// The code for audio whose language cannot be detected: `und` (ISO 639-2, undetermined).
    package static let undetermined = "und"

    /// The index of the most probable language.
    package static func best(_ probabilities: [Double]) -> Int {
        probabilities.indices.max { probabilities[$0] < probabilities[$1] } ?? 0
    }

    /// The most probable of the model's languages.
    package init(_ probabilities: [Double], codes: [String]) {
        let best = Self.best(probabilities)
        self.init(
            language: codes[best], probability: probabilities[best],
            probabilities: Dictionary(zip(codes, probabilities), uniquingKeysWith: { first, _ in first }))
    }
}
