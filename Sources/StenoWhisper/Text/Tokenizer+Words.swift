import StenoCore

/// A word as a list of tokens, without times.
package struct WordTokens: Sendable, Hashable {
    /// The word with the space before it.
    package var text: String
    /// The word's tokens.
    package var tokens: [Int]
}

extension Tokenizer {
    /// Groups tokens into words as faster-whisper does: at spaces, or at every complete character in languages written
    /// without spaces between words.
    ///
    /// Special tokens are words of their own, with empty text, or with the time they represent.
    package func splitToWordTokens(_ tokens: [Int], language: String) -> [WordTokens] {
        let characters = splitOnUnicode(tokens)
        return Self.unspacedLanguages.contains(language) ? characters : joinAtSpaces(characters)
    }

    private static let unspacedLanguages: Set = ["zh", "ja", "th", "lo", "my", "yue"]

    /// The shortest runs of tokens whose text consists of complete characters.
    ///
    /// A replacement character means that a character is still incomplete, unless the whole text has one in the same
    /// place: then its bytes are invalid and never become complete.
    private func splitOnUnicode(_ tokens: [Int]) -> [WordTokens] {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        let whole = Array(decodeWithTimestamps(tokens).unicodeScalars)
        var words: [WordTokens] = []
        var current: [Int] = []
        var offset = 0
        for token in tokens {
            current.append(token)
            let text = decodeWithTimestamps(current)
            let scalars = Array(text.unicodeScalars)
            if let broken = scalars.firstIndex(of: replacement) {
                guard offset + broken < whole.count, whole[offset + broken] == replacement else { continue }
            }
            words.append(WordTokens(text: text, tokens: current))
            current.removeAll()
            offset += scalars.count
        }
        return words
    }

    private func joinAtSpaces(_ pieces: [WordTokens]) -> [WordTokens] {
        var words: [WordTokens] = []
        for piece in pieces {
            if words.isEmpty || startsWord(piece) {
                words.append(piece)
            } else {
                words[words.count - 1].text += piece.text
                words[words.count - 1].tokens += piece.tokens
            }
        }
        return words
    }

    private func startsWord(_ piece: WordTokens) -> Bool {
        piece.tokens[0] >= specialTokens.endOfText || piece.text.utf8.first == UInt8(ascii: " ")
            || Self.isPunctuation(piece.text)
    }

    private static let punctuation = Array("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".utf8)

    /// Whether a text, without surrounding white space, is empty or a run of ASCII punctuation in code order.
    ///
    /// The order is an artefact of Python's substring test, but word boundaries depend on it.
    private static func isPunctuation(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        guard let first = scalars.firstIndex(where: { !isSpace($0) }),
            let last = scalars.lastIndex(where: { !isSpace($0) })
        else { return true }
        let core = scalars[first...last]
        guard core.count <= punctuation.count else { return false }
        return (0...punctuation.count - core.count).contains { start in
            zip(core, punctuation[start...]).allSatisfy { $0.value == UInt32($1) }
        }
    }

    /// White space as defined by Python's `str.strip`: Unicode's, and the four ASCII separators.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || (0x1C...0x1F).contains(scalar.value)
    }
}
