/// A whole number of any size, not negative: *nine hundred decillions* are too many for any of the machine's integers.
struct DecimalInteger: Equatable {
    /// The decimal digits, the most significant first; no zero in front but for the number 0.
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
