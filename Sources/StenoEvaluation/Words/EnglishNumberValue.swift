/// A number while its words are being read: an integer that can grow, or digits that are only concatenated.
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

    /// The number followed by another below a power of ten: *twenty* and *six*, *two thousand* and *twenty*.
    ///
    /// If there are no zeros to fill, the digits are concatenated, as in *nineteen ninety nine*.
    func followed(by value: Int, below zeros: Int) -> Self {
        guard case .integer(let whole) = self, whole.isMultiple(ofPowerOfTen: zeros) else {
            return .digits(text + String(value))
        }
        return .integer(whole + DecimalInteger(value))
    }
}

/// A non-negative whole number of any size: *nine hundred decillions* does not fit the machine's integers.
struct DecimalInteger: Equatable {
    /// The decimal digits, the most significant first, without leading zeros except for the number 0.
    private var digits: [UInt8]

    init(_ value: Int) { self.init(digits: String(value).utf8.map { $0 - 0x30 }) }

    private init(digits: [UInt8]) {
        let significant = digits.drop { $0 == 0 }
        self.digits = significant.isEmpty ? [0] : Array(significant)
    }

    /// Reads decimal digits of any script.
    init?(_ text: Substring.UnicodeScalarView) {
        let values = text.map { $0.isDigit ? $0.properties.numericValue.map { UInt8($0) } : nil }
        guard !values.isEmpty, !values.contains(nil) else { return nil }
        self.init(digits: values.compactMap { $0 })
    }

    static func powerOfTen(_ zeros: Int) -> Self { Self(1).timesPowerOfTen(zeros) }

    var isZero: Bool { digits == [0] }

    var text: String { digits.map { String($0) }.joined() }

    func isMultiple(ofPowerOfTen zeros: Int) -> Bool {
        isZero || digits.suffix(zeros).allSatisfy { $0 == 0 } && digits.count > zeros
    }

    func timesPowerOfTen(_ zeros: Int) -> Self { Self(digits: digits + [UInt8](repeating: 0, count: zeros)) }

    /// The whole thousands and the rest below a thousand.
    var thousandsAndRest: (thousands: Self, rest: Self) {
        let kept = digits.dropLast(3)
        return (Self(digits: kept + [0, 0, 0]), Self(digits: Array(digits.suffix(3))))
    }

    static func + (first: Self, second: Self) -> Self {
        var sum: [UInt8] = []
        var carry: UInt8 = 0
        var (left, right) = (first.digits[...], second.digits[...])
        while !left.isEmpty || !right.isEmpty || carry > 0 {
            let digit = (left.popLast() ?? 0) + (right.popLast() ?? 0) + carry
            sum.append(digit % 10)
            carry = digit / 10
        }
        return Self(digits: sum.reversed())
    }
}
