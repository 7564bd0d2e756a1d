import Foundation
import Steno

/// The normaliser applied to both texts before they are compared.
public enum TextNormalization: String, Sendable, Hashable, Codable, CaseIterable {
    /// ``english`` for English, ``basic`` for other languages.
    ///
    /// In languages written without spaces, every letter counts as a word.
    case automatic
    /// ``EnglishTextNormalizer``.
    case english
    /// ``BasicTextNormalizer``, which keeps accents.
    case basic
    /// The texts unchanged; white space separates words.
    case none
}

/// Scores hypotheses against references with one normalisation.
public struct TextScorer: Sendable {
    /// How both texts are normalised.
    public let normalization: TextNormalization
    private let english: EnglishTextNormalizer?

    /// Creates a scorer.
    ///
    /// - Throws: `StenoError` `resourceMissing` if the table for English is missing.
    public init(_ normalization: TextNormalization = .automatic) throws {
        self.normalization = normalization
        english = [.automatic, .english].contains(normalization) ? try EnglishTextNormalizer() : nil
    }

    /// Compares two texts.
    ///
    /// - Parameters:
    ///   - reference: The reference text.
    ///   - hypothesis: The text to score.
    ///   - language: The language code of the texts; nil if unknown, which is treated as not English.
    public func score(reference: String, hypothesis: String, language: String?) -> TextScore {
        let isUnspaced = normalization == .automatic && Self.unspacedLanguages.contains(language ?? "")
        return TextScore(
            reference: normalize(reference, language), hypothesis: normalize(hypothesis, language),
            lettersAreWords: isUnspaced)
    }

    func normalize(_ text: String, _ language: String?) -> String {
        let normalized =
            switch normalization {
            case .none: text
            case .basic: BasicTextNormalizer().normalize(text)
            case .english: english?.normalize(text) ?? text
            case .automatic where language == "en": english?.normalize(text) ?? text
            case .automatic:
                BasicTextNormalizer(splitLetters: Self.unspacedLanguages.contains(language ?? "")).normalize(text)
            }
        return CodePoints(normalized).trimmingSpace().string
    }

    /// The languages in which letters count as words.
    private static let unspacedLanguages: Set = ["zh", "ja", "th", "lo", "my", "yue"]
}

/// The differences between two normalised texts.
public struct TextScore: Sendable, Hashable {
    /// The normalised reference.
    public let reference: String
    /// The normalised hypothesis.
    public let hypothesis: String
    /// The hits and errors in words.
    public let words: ErrorCounts
    /// The hits and errors in characters: code points, including spaces between words unless every letter is a word.
    public let characters: ErrorCounts

    /// - Parameter lettersAreWords: Whether the spaces only separate letters and are not part of the text.
    init(reference: String, hypothesis: String, lettersAreWords: Bool) {
        self.reference = reference
        self.hypothesis = hypothesis
        let (said, heard) = (CodePoints(reference), CodePoints(hypothesis))
        words = EditAlignment(reference: said.words(), hypothesis: heard.words()).counts
        func letters(_ text: CodePoints) -> CodePoints { lettersAreWords ? text.filter { !$0.isSpace } : text }
        characters = EditAlignment(reference: letters(said), hypothesis: letters(heard)).counts
    }
}

extension [Unicode.Scalar] {
    fileprivate func trimmingSpace() -> CodePoints {
        let rest = drop(while: \.isSpace)
        return CodePoints(rest[..<(rest.lastIndex { !$0.isSpace }.map { $0 + 1 } ?? rest.startIndex)])
    }
}

/// Removes differences that do not count as errors: case, punctuation, spelling.
public protocol TextNormalizer: Sendable {
    /// The normalised text; words are separated by spaces.
    func normalize(_ text: String) -> String
}

/// The normaliser for every language, equal to openai-whisper's `BasicTextNormalizer` (version 20250625).
///
/// It lowercases, removes words in brackets, and replaces every symbol, mark and punctuation sign with a space. As in
/// the original, the marks of scripts such as Devanagari or Thai become spaces too, which splits words: compare those
/// by characters. Leading and trailing spaces stay.
public struct BasicTextNormalizer: TextNormalizer {
    private let removeDiacritics: Bool
    private let splitLetters: Bool

    /// Creates the normaliser.
    ///
    /// - Parameters:
    ///   - removeDiacritics: Whether accents are removed too.
    ///   - splitLetters: Whether every letter becomes a word, for languages written without spaces.
    public init(removeDiacritics: Bool = false, splitLetters: Bool = false) {
        self.removeDiacritics = removeDiacritics
        self.splitLetters = splitLetters
    }

    /// The normalised text.
    public func normalize(_ text: String) -> String {
        let spoken = CodePoints(text).lowercased().removingBrackets().removingParentheses()
        var cleaned = (removeDiacritics ? spoken.removingSymbolsAndDiacritics() : spoken.removingSymbols()).lowercased()
        if splitLetters { cleaned = CodePoints(cleaned.string.map(String.init).joined(separator: " ")) }
        return cleaned.collapsingSpace().string
    }
}

extension Sequence<String> {
    /// The parts of a text as one text, with a space between two parts whose words would otherwise run together.
    ///
    /// Some programs keep the space before the first word of a part, others trim all parts. Scripts without spaces get
    /// none.
    func joinedAsText() -> String {
        reduce(into: "") { text, part in
            if let last = text.unicodeScalars.last, let first = part.unicodeScalars.first,
                ![last, first].contains(where: { $0.isSpace || UnspacedScript.contains($0) })
            {
                text += " "
            }
            text += part
        }
    }
}
