import Foundation

/// The normaliser for every language, equal to openai-whisper's `BasicTextNormalizer` (version 20250625).
///
/// Lower case, no words in brackets, and a space for every symbol, mark and punctuation sign. As in the original, the
/// marks of scripts such as Devanagari or Thai become spaces too, which splits words: compare those by characters.
/// Leading and trailing spaces stay.
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
