internal import CStenoKernels

/// Conversions of arrays of numbers.
package enum NumberConversion {
    /// Converts IEEE half-precision numbers at any alignment to float32.
    package static func float16(_ bytes: UnsafeRawPointer, count: Int, into values: UnsafeMutablePointer<Float>) {
        steno_widen_float16(bytes, Int64(count), values)
    }

    /// Converts bfloat16 numbers at any alignment to float32.
    package static func bfloat16(_ bytes: UnsafeRawPointer, count: Int, into values: UnsafeMutablePointer<Float>) {
        steno_widen_bfloat16(bytes, Int64(count), values)
    }

    package static func areFinite(_ values: UnsafePointer<Float>, count: Int) -> Bool {
        steno_are_finite(values, Int64(count))
    }

    /// Rounds floats to bfloat16, to nearest with ties to even.
    package static func narrowToBFloat16(
        _ values: UnsafePointer<Float>, count: Int, into halves: UnsafeMutablePointer<UInt16>
    ) {
        steno_narrow_bfloat16(values, Int64(count), halves)
    }

    /// Rounds floats to IEEE half precision, to nearest with ties to even; values beyond its range become infinite.
    ///
    /// Swift has no Float16 on Intel Macs, so this works on the bits.
    package static func narrowToFloat16(
        _ values: UnsafePointer<Float>, count: Int, into halves: UnsafeMutablePointer<UInt16>
    ) {
        for index in 0..<count { halves[index] = float16Bits(values[index].bitPattern) }
    }

    private static func float16Bits(_ bits: UInt32) -> UInt16 {
        let sign = UInt16(truncatingIfNeeded: bits &>> 16 & 0x8000)
        let magnitude = bits & 0x7FFF_FFFF
        if magnitude > 0x7F80_0000 { return sign | 0x7E00 }
        if magnitude >= 0x4780_0000 { return sign | 0x7C00 }
        if magnitude < 0x3880_0000 {
            // Subnormal halves are multiples of 2^-24, so adding 0.5 as a float rounds them correctly.
            return sign | UInt16(truncatingIfNeeded: (Float(bitPattern: magnitude) + 0.5).bitPattern &- 0x3F00_0000)
        }
        // Changes the exponent bias and drops 13 bits of the fraction; a carry into the exponent is correct.
        let rounded = magnitude &- 0x3800_0000 &+ 0xFFF &+ (magnitude &>> 13 & 1)
        return sign | UInt16(truncatingIfNeeded: rounded &>> 13)
    }
}
