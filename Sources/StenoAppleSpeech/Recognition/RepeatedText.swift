import Steno

/// Recognises text that a recogniser repeats with other capitals, other punctuation, or a corrected word.
enum RepeatedText {
    /// A word, or a character of a script without spaces.
    private struct Token {
        /// Its letters and digits, in lower case.
        var key: String
        /// Where it ends, punctuation included.
        var end: String.Index
    }

    /// Where a text continues after repeating an earlier one; nil if it does not repeat it.
    ///
    /// The repetition is the beginning with the smallest edit distance (Levenshtein, 1966) to the earlier text, counted
    /// in words; less than half of the words may differ.
    static func end(of earlier: String, in text: String) -> String.Index? {
        let known = tokens(earlier), tokens = tokens(text)
        guard !known.isEmpty, !tokens.isEmpty else { return nil }
        let row = EditDistance.distances(of: known.map(\.key), from: tokens.map(\.key))
        let best = row.indices.min { (row[$0], abs($0 - known.count)) < (row[$1], abs($1 - known.count)) }
        guard let best, best > 0, row[best] == 0 || row[best] * 2 < known.count else { return nil }
        return tokens[best - 1].end
    }

    /// Where a share of the words of a text ends, rounded down to whole words.
    static func end(of share: Double, in text: String) -> String.Index {
        let tokens = tokens(text)
        let count = min(tokens.count, Int(Double(tokens.count) * min(1, max(0, share))))
        return count > 0 ? tokens[count - 1].end : text.startIndex
    }

    static func letters(_ text: some StringProtocol) -> Int { text.count { $0.isLetter || $0.isNumber } }

    /// The position in a text after a number of letters and digits, and the punctuation that follows them.
    static func index(in text: String, afterLetters count: Int) -> String.Index {
        var rest = count
        return text.firstIndex { character in
            let isLetter = character.isLetter || character.isNumber
            if rest == 0 { return isLetter || character.isWhitespace }
            rest -= isLetter ? 1 : 0
            return false
        } ?? text.endIndex
    }

    private static func tokens(_ text: String) -> [Token] {
        var tokens: [Token] = []
        var isOpen = false
        for index in text.indices {
            let character = text[index], next = text.index(after: index)
            let isUnspaced = character.unicodeScalars.contains(where: UnspacedScript.contains)
            if character.isLetter || character.isNumber {
                let key = character.lowercased()
                if isOpen, !isUnspaced, let last = tokens.indices.last {
                    tokens[last].key += key
                    tokens[last].end = next
                } else {
                    tokens.append(Token(key: key, end: next))
                }
                isOpen = !isUnspaced
            } else if character.isWhitespace {
                isOpen = false
            } else if let last = tokens.indices.last, tokens[last].end == index {
                tokens[last].end = next
            }
        }
        return tokens
    }
}
