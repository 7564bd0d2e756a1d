import Foundation

/// Text as a list of code points: what the regular expressions of openai-whisper's normalisers work on.
///
/// A `Character` would join a letter and its accents, and so find other word boundaries than the reference.
typealias CodePoints = [Unicode.Scalar]

extension Unicode.Scalar {
    /// White space in the sense of Python's `str.isspace`: Unicode's, and the four separators of ASCII.
    var isSpace: Bool {
        isASCII
            ? value == 0x20 || (0x09...0x0D).contains(value) || (0x1C...0x1F).contains(value) : properties.isWhitespace
    }

    /// A decimal digit of any script: `\d`.
    var isDigit: Bool { isASCII ? isASCIIDigit : properties.generalCategory == .decimalNumber }

    /// One of `0` to `9`.
    var isASCIIDigit: Bool { (0x30...0x39).contains(value) }

    /// A letter from `a` to `z`.
    var isLowercaseASCIILetter: Bool { (0x61...0x7A).contains(value) }

    /// Whether this is a letter, a number or an underscore, a regular expression's `\w`.
    ///
    /// Accents that stand alone are none of these.
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

    /// The text these code points make.
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

    /// Whether these code points stand at a place.
    func stands(_ literal: CodePoints, at index: Int) -> Bool {
        guard index + literal.count <= count else { return false }
        return literal.indices.allSatisfy { self[index + $0] == literal[$0] }
    }

    /// The first place from `index` on whose code point meets the condition, or the end.
    func end(of run: (Unicode.Scalar) -> Bool, from index: Int) -> Int {
        var end = index
        while end < count, run(self[end]) { end += 1 }
        return end
    }

    /// Every run of white space becomes one space.
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

    /// The words between white space.
    func words() -> [String] { split(whereSeparator: \.isSpace).map { CodePoints($0).string } }
}
