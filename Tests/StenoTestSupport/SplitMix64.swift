/// The random number generator of all tests: SplitMix64 (Steele, Lea and Flood, 2014).
///
/// `Tools/support/random_model.py` generates the same numbers in Python.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// Creates the stream of a name: its FNV-1a hash, xor the seed.
    package init(seed: UInt64, name: String) { self.init(seed: fnv1a64(name) ^ seed) }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z &>> 31)
    }

    /// Uniform values in `centre` ± `span`, each from the upper 24 bits of one output.
    ///
    /// All operations are exact or correctly rounded, so that Python's results are bit-identical.
    package mutating func uniform(count: Int, centre: Float, span: Double) -> [Float] {
        let step = Float(span / 8_388_608)
        return [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
            // Wrapping operators and a plain loop, which stay fast in a debug build.
            while initialized < count {
                let signed = Int(bitPattern: UInt(next() &>> 40)) &- 8_388_608
                buffer[initialized] = Float(signed) * step + centre
                initialized &+= 1
            }
        }
    }
}

/// The 64-bit FNV-1a hash of a string's UTF-8 bytes.
package func fnv1a64(_ string: String) -> UInt64 {
    string.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}

/// The largest distance between numbers at the same place; infinite if the lengths differ or a number is not finite.
///
/// `max()` would skip a NaN that is not the first distance.
package func largestDistance<One: BinaryFloatingPoint, Other: BinaryFloatingPoint>(
    _ one: some Collection<One>, _ other: some Collection<Other>
) -> Double {
    guard one.count == other.count else { return .infinity }
    return zip(one, other).reduce(0) { worst, pair in
        let distance = abs(Double(pair.0) - Double(pair.1))
        return distance.isNaN ? .infinity : max(worst, distance)
    }
}

/// The cosine of the angle between two lists of numbers.
package func cosine(_ one: some Collection<Float>, _ other: some Collection<Float>) -> Double {
    var (product, left, right) = (0.0, 0.0, 0.0)
    for (a, b) in zip(one, other) {
        product += Double(a) * Double(b)
        left += Double(a) * Double(a)
        right += Double(b) * Double(b)
    }
    return product / (left * right).squareRoot()
}

// Implemented here because Swift has no Float16 on Intel Macs.

/// The IEEE half nearest to a value (ties to even) as its bits; values beyond its range become infinite.
package func float16Bits(_ value: Float) -> UInt16 {
    let bits = value.bitPattern
    let sign = UInt16(truncatingIfNeeded: (bits &>> 16) & 0x8000)
    let magnitude = bits & 0x7FFF_FFFF
    if magnitude > 0x7F80_0000 { return sign | 0x7E00 }
    if magnitude >= 0x4780_0000 { return sign | 0x7C00 }
    if magnitude < 0x3880_0000 {
        // Subnormal halves are multiples of 2^-24, so the rounding of a float addition at 0.5 is the one needed.
        return sign | UInt16(truncatingIfNeeded: (Float(bitPattern: magnitude) + 0.5).bitPattern &- 0x3F00_0000)
    }
    let rounded = magnitude &- 0x3800_0000 &+ 0xFFF &+ ((magnitude &>> 13) & 1)
    return sign | UInt16(truncatingIfNeeded: rounded &>> 13)
}

/// The upper half of a float, rounded to nearest (ties to even), as its bits.
package func bfloat16Bits(_ value: Float) -> UInt16 {
    let bits = value.bitPattern
    return UInt16(truncatingIfNeeded: (bits &+ 0x7FFF &+ ((bits &>> 16) & 1)) &>> 16)
}

/// Rows in int8 with per-row scales 127 / max|row|, as from CTranslate2's converter; value ≈ q / scale.
package func quantizedRows(_ values: [Float], count: Int) -> (rows: [Int8], scales: [Float]) {
    let width = values.count / count
    var rows = [Int8](repeating: 0, count: values.count)
    var scales = [Float](repeating: 1, count: count)
    values.withUnsafeBufferPointer { values in
        for row in 0..<count {
            let range = row * width..<(row + 1) * width
            let largest = values[range].reduce(0) { max($0, abs($1)) }
            scales[row] = largest == 0 ? 1 : 127 / largest
            for index in range { rows[index] = Int8((values[index] * scales[row]).rounded(.toNearestOrEven)) }
        }
    }
    return (rows, scales)
}
