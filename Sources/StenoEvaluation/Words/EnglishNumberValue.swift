/// A number while its words are still being read: an integer that can grow, or digits that are only put together.
enum EnglishNumberValue {
    case integer(DecimalInteger)
    case digits(String)

    var text: String {
        switch self {
        case .integer(let value): value.text
        case .digits(let text): text
        }
    }

    /// A number written in digits, such as `12` or `12.5`; nil for any other word.
    init?(numeral word: Substring.UnicodeScalarView) {
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = DecimalInteger(parts[0]) else { return nil }
        guard parts.count == 2 else {
            self = .integer(whole)
            return
        }
        guard let fraction = DecimalInteger(parts[1]) else { return nil }
        self = fraction.isZero ? .integer(whole) : .digits(String(word))
    }

    static func isNumeral(_ word: String?) -> Bool {
        word.map { Self(numeral: Substring($0).unicodeScalars) != nil } ?? false
    }

    /// The number times a power of ten; nil if it is not a number, or the product is not a whole number.
    func timesPowerOfTen(_ zeros: Int) -> DecimalInteger? {
        switch self {
        case .integer(let value): return value.timesPowerOfTen(zeros)
        case .digits(let text):
            let parts = Substring(text).unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count <= 2, text != "." else { return nil }
            let whole = parts[0].isEmpty ? DecimalInteger(0) : DecimalInteger(parts[0])
            guard let whole, parts.count == 2, !parts[1].isEmpty else { return whole?.timesPowerOfTen(zeros) }
            let significant = parts[1].count - parts[1].reversed().prefix { $0.properties.numericValue == 0 }.count
            guard significant <= zeros, DecimalInteger(parts[1]) != nil else { return nil }
            guard let fraction = DecimalInteger(parts[1].prefix(zeros)) else { return whole.timesPowerOfTen(zeros) }
            return whole.timesPowerOfTen(zeros) + fraction.timesPowerOfTen(max(0, zeros - parts[1].count))
        }
    }

    /// The number with another below a power of ten after it: *twenty* and *six*, *two thousand* and *twenty*.
    ///
    /// If there are no zeros to fill, the digits are concatenated, as in *nineteen ninety nine*.
    func followed(by value: Int, below zeros: Int) -> Self {
        guard case .integer(let whole) = self, whole.isMultiple(ofPowerOfTen: zeros) else {
            return .digits(text + String(value))
        }
        return .integer(whole + DecimalInteger(value))
    }
}
