import Foundation
import StenoCore

/// Joins tokens to words, as they are heard.
///
/// A word begins with a token that begins with a space, or that is a sign of a script without spaces. Punctuation joins
/// the word before it and is not part of its time: a streaming model writes it when it is sure of the sentence, which
/// may be long after the word. Times are those of NVIDIA's programs: from the frame of the first token to the end of the
/// last token's duration, which is at least one frame.
struct WordBuilder {
    /// How often the model named each language, by tags such as `de-DE`.
    private(set) var languages: [String: Int] = [:]

    private let tokenizer: FastConformerTokenizer
    /// The tokens of the word that may continue.
    private var tokens: [FastConformerToken] = []
    private var complete: [UtteranceWord] = []

    init(_ tokenizer: FastConformerTokenizer) { self.tokenizer = tokenizer }

    mutating func append(_ tokens: [FastConformerToken]) {
        for token in tokens {
            if let language = tokenizer.language(token.id) {
                languages[language, default: 0] += 1
            } else if !tokenizer.bytes(of: token.id).isEmpty {
                if beginsWord(token) { endWord() }
                self.tokens.append(token)
            }
        }
    }

    mutating func endWord() {
        if let open { complete.append(open) }
        tokens.removeAll()
    }

    /// Returns the complete words since the last call.
    mutating func takeWords() -> [UtteranceWord] {
        defer { complete.removeAll() }
        return complete
    }

    /// The word that may continue; nil if there is none.
    var open: UtteranceWord? {
        let text = String(decoding: tokens.flatMap { tokenizer.bytes(of: $0.id) }, as: UTF8.self)
        guard !text.trimmingWhitespace.isEmpty else { return nil }
        let letters = tokens.filter { !tokenizer.isPunctuation($0.id) }
        let timed = letters.isEmpty ? tokens : letters
        guard let first = timed.first, let last = timed.last else { return nil }
        let probabilities = tokens.map { exp(Double($0.logProbability)) }
        return UtteranceWord(
            text: text, handle: tokens.map(\.id), start: Self.seconds(first.frame),
            end: Self.seconds(last.frame + max(1, last.frames)),
            probability: probabilities.reduce(0, +) / Double(probabilities.count),
            certainty: probabilities.reduce(1, *))
    }

    private static func seconds(_ frames: Int) -> Double { Double(frames) * FastConformerConfiguration.frameSeconds }

    private func beginsWord(_ token: FastConformerToken) -> Bool {
        let text = String(decoding: tokenizer.bytes(of: token.id), as: UTF8.self)
        guard let first = text.unicodeScalars.first(where: { $0 != " " }) else { return true }
        if Self.isScriptWithoutSpaces(first) { return true }
        return text.hasPrefix(" ") && (!tokenizer.isPunctuation(token.id) || Self.opening.contains(first))
    }

    /// Punctuation that belongs to the word after it.
    private static let opening: Set<Unicode.Scalar> = ["¿", "¡", "(", "[", "{", "«", "„", "“", "‘", "\"", "'"]

    /// Whether a sign is of Chinese, Japanese or Thai, where every token is a word.
    private static func isScriptWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xE01...0xE5B, 0x3041...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x20000...0x3FFFF: true
        default: false
        }
    }
}
