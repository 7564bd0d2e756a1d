import StenoTestSupport

/// The largest distance, relative to the largest value.
func relativeDistance(_ one: [Float], _ other: [Float]) -> Double {
    largestDistance(one, other) / Double(other.map(abs).max() ?? 1)
}

/// The cosine of the angle between two vectors.
func cosine(_ one: [Float], _ other: [Float]) -> Double {
    func product(_ one: [Float], _ other: [Float]) -> Double {
        zip(one, other).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }
    return product(one, other) / (product(one, one) * product(other, other)).squareRoot()
}
