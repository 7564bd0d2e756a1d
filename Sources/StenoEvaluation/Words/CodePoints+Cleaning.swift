import Foundation

extension [Unicode.Scalar] {
    /// Without text in `[]` or `<>`, which often annotates noises.
    func removingBrackets() -> CodePoints {
        removing(opening: { $0 == "<" || $0 == "[" }, closing: { $0 == ">" || $0 == "]" }, mayBeEmpty: true)
    }

    /// Without text in parentheses; an empty pair stays.
    func removingParentheses() -> CodePoints {
        removing(opening: { $0 == "(" }, closing: { $0 == ")" }, mayBeEmpty: false)
    }

    /// Removes from each opening sign to the next closing one.
    private func removing(
        opening: (Unicode.Scalar) -> Bool, closing: (Unicode.Scalar) -> Bool, mayBeEmpty: Bool
    ) -> CodePoints {
        var result = CodePoints()
        var index = 0
        var close = 0
        while index < count {
            if opening(self[index]) {
                // Searched again only when passed, so that a text of only opening signs takes linear time.
                if close <= index { close = end(of: { !closing($0) }, from: index + 1) }
                if close < count, mayBeEmpty || close > index + 1 {
                    index = close + 1
                    continue
                }
            }
            result.append(self[index])
            index += 1
        }
        return result
    }

    /// In compatibility composition (NFKC), with a space for every mark, symbol and punctuation sign.
    func removingSymbols() -> CodePoints {
        // In two steps: Foundation on Linux leaves half-width kana and their voicing marks apart when asked for NFKC.
        let composed = string.decomposedStringWithCompatibilityMapping.precomposedStringWithCanonicalMapping
        return CodePoints(composed).map { $0.isMarkSymbolOrPunctuation ? " " : $0 }
    }

    /// In compatibility decomposition (NFKD), without accents, with a space for every other mark and sign but those
    /// kept.
    func removingSymbolsAndDiacritics(keep: Set<Unicode.Scalar> = []) -> CodePoints {
        CodePoints(string.decomposedStringWithCompatibilityMapping).flatMap { scalar -> CodePoints in
            if scalar.isASCII, scalar.isWordPart || scalar == " " { return scalar == "_" ? [" "] : [scalar] }
            if keep.contains(scalar) { return [scalar] }
            if let plain = Self.plainLetters[scalar] { return CodePoints(plain) }
            if scalar.properties.generalCategory == .nonspacingMark { return [] }
            return [scalar.isMarkSymbolOrPunctuation ? " " : scalar]
        }
    }

    /// Letters that no decomposition takes apart; the capital thorn is small in the original too.
    private static let plainLetters: [Unicode.Scalar: String] = [
        "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "AE", "ß": "ss", "ẞ": "SS", "đ": "d", "Đ": "D",
        "ð": "d", "Ð": "D", "þ": "th", "Þ": "th", "ł": "l", "Ł": "L",
    ]
}
