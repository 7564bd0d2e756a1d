import Foundation

/// Text as a list of code points, which the regular expressions of openai-whisper's normalisers work on.
///
/// A `Character` would join a letter and its accents, and so give other word boundaries than the original.
typealias CodePoints = [Unicode.Scalar]

extension Unicode.Scalar {
    /// White space in the sense of Python's `str.isspace`: Unicode's, and the four separators of ASCII.
    var isSpace: Bool {
        isASCII
            ? value == 0x20 || (0x09...0x0D).contains(value) || (0x1C...0x1F).contains(value) : properties.isWhitespace
    }

    /// A decimal digit of any script: `\d`.
    var isDigit: Bool { isASCII ? isASCIIDigit : properties.generalCategory == .decimalNumber }

    var isASCIIDigit: Bool { (0x30...0x39).contains(value) }

    var isLowercaseASCIILetter: Bool { (0x61...0x7A).contains(value) }

    /// Whether this is a letter, a number or an underscore, a regular expression's `\w`.
    ///
    /// Combining accents are not.
    var isWordPart: Bool {
        if isASCII { return isASCIIDigit || isLowercaseASCIILetter || (0x41...0x5A).contains(value) || self == "_" }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return true
        default: return properties.numericType != nil
        }
    }

    /// A mark, symbol or punctuation sign: categories M, S and P.
    var isMarkSymbolOrPunctuation: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol,
            .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            true
        default: false
        }
    }
}

extension [Unicode.Scalar] {
    init(_ text: String) { self = Array(text.unicodeScalars) }

    var string: String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: self)
        return String(view)
    }

    /// Whether a word starts or ends between `index - 1` and `index`: `\b`.
    func isBoundary(_ index: Int) -> Bool {
        let before = index > 0 && self[index - 1].isWordPart
        return before != (index < count && self[index].isWordPart)
    }

    /// Whether these code points occur at an index.
    func stands(_ literal: CodePoints, at index: Int) -> Bool {
        guard index + literal.count <= count else { return false }
        return literal.indices.allSatisfy { self[index + $0] == literal[$0] }
    }

    /// The end of the run of code points from `index` on that meet the condition.
    func end(of run: (Unicode.Scalar) -> Bool, from index: Int) -> Int {
        var end = index
        while end < count, run(self[end]) { end += 1 }
        return end
    }

    /// The text with every run of white space as one space.
    func collapsingSpace() -> CodePoints {
        var result = CodePoints()
        result.reserveCapacity(count)
        var inSpace = false
        for scalar in self {
            if !scalar.isSpace { result.append(scalar) } else if !inSpace { result.append(" ") }
            inSpace = scalar.isSpace
        }
        return result
    }

    func words() -> [String] { split(whereSeparator: \.isSpace).map { CodePoints($0).string } }
}

extension [Unicode.Scalar] {
    /// The text without parts in `[]` or `<>`, which often annotate noises.
    func removingBrackets() -> CodePoints {
        removing(opening: { $0 == "<" || $0 == "[" }, closing: { $0 == ">" || $0 == "]" }, mayBeEmpty: true)
    }

    /// The text without parts in parentheses; an empty pair stays.
    func removingParentheses() -> CodePoints {
        removing(opening: { $0 == "(" }, closing: { $0 == ")" }, mayBeEmpty: false)
    }

    /// Removes everything from each opening sign to the next closing one.
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

    /// The text in compatibility composition (NFKC), with a space for every mark, symbol and punctuation sign.
    func removingSymbols() -> CodePoints {
        // In two steps: Foundation on Linux leaves half-width kana and their voicing marks apart when asked for NFKC.
        let composed = string.decomposedStringWithCompatibilityMapping.precomposedStringWithCanonicalMapping
        return CodePoints(composed).map { $0.isMarkSymbolOrPunctuation ? " " : $0 }
    }

    /// The text in compatibility decomposition (NFKD), without accents, with a space for every other mark and sign
    /// except those to keep.
    func removingSymbolsAndDiacritics(keep: Set<Unicode.Scalar> = []) -> CodePoints {
        CodePoints(string.decomposedStringWithCompatibilityMapping).flatMap { scalar -> CodePoints in
            if scalar.isASCII, scalar.isWordPart || scalar == " " { return scalar == "_" ? [" "] : [scalar] }
            if keep.contains(scalar) { return [scalar] }
            if let plain = Self.plainLetters[scalar] { return CodePoints(plain) }
            if scalar.properties.generalCategory == .nonspacingMark { return [] }
            return [scalar.isMarkSymbolOrPunctuation ? " " : scalar]
        }
    }

    /// Letters that have no decomposition; the capital thorn becomes small in the original too.
    private static let plainLetters: [Unicode.Scalar: String] = [
        "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "AE", "ß": "ss", "ẞ": "SS", "đ": "d", "Đ": "D",
        "ð": "d", "Ð": "D", "þ": "th", "Þ": "th", "ł": "l", "Ł": "L",
    ]
}

extension [Unicode.Scalar] {
    /// The text in lower case by Unicode's SpecialCasing without a locale, like Python's `str.lower`.
    ///
    /// `String.lowercased()` does not know that a Greek word ends in `ς`.
    func lowercased() -> CodePoints {
        var result = CodePoints()
        result.reserveCapacity(count)
        for (index, scalar) in enumerated() {
            if scalar.isASCII {
                result.append(
                    (0x41...0x5A).contains(scalar.value) ? Unicode.Scalar(UInt8(scalar.value + 0x20)) : scalar)
            } else if scalar == "Σ" {
                result.append(isFinalSigma(index) ? "ς" : "σ")
            } else {
                result.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            }
        }
        return result
    }

    /// Unicode's condition Final_Sigma: a cased letter before and none after, apart from case-ignorable characters in
    /// between.
    private func isFinalSigma(_ index: Int) -> Bool {
        let before = self[..<index].last { !$0.properties.isCaseIgnorable }
        let after = self[(index + 1)...].first { !$0.properties.isCaseIgnorable }
        return before?.properties.isCased == true && after?.properties.isCased != true
    }
}
