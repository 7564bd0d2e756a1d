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
}
