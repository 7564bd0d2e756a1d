/// Euclid's algorithm, for numbers that are not negative.
func greatestCommonDivisor<Number: BinaryInteger>(_ a: Number, _ b: Number) -> Number {
    b == 0 ? a : greatestCommonDivisor(b, a % b)
}
