/// GGML's quantised blocks: 32 numbers of 4, 5 or 8 bits that share a float16 scale `d`.
///
/// ```
/// q4_0   d · 16 bytes                            weight = d · (number − 8)
/// q4_1   d · m · 16 bytes                        weight = d · number + m
/// q5_0   d · u32 of fifth bits · 16 bytes        weight = d · (number − 16)
/// q5_1   d · m · u32 of fifth bits · 16 bytes    weight = d · number + m
/// q8_0   d · 32 signed bytes                     weight = d · number
/// ```
/// The low halves of the 16 bytes are the numbers 0 to 15, the high halves 16 to 31; bit i of the fifth bits belongs to
/// number i. The product with `d` is exact in float32, so the values equal whisper.cpp's on every machine.
enum GGMLBlock {
    static let valueCount = 32

    /// Decodes one block.
    ///
    /// - Parameters:
    ///   - format: One of the formats above.
    ///   - block: The block's bytes, at any alignment.
    static func decode(_ format: StorageFormat, _ block: UnsafeRawPointer, into values: UnsafeMutablePointer<Float>) {
        let scale = float16(block)
        switch format {
        case .q4_0: decode(block + 2, high: 0, scale: scale, offset: 8, minimum: -0.0, values)
        case .q4_1: decode(block + 4, high: 0, scale: scale, offset: 0, minimum: float16(block + 2), values)
        case .q5_0: decode(block + 6, high: bits(block + 2), scale: scale, offset: 16, minimum: -0.0, values)
        case .q5_1:
            decode(block + 8, high: bits(block + 4), scale: scale, offset: 0, minimum: float16(block + 2), values)
        case .q8_0:
            for index in 0..<valueCount {
                values[index] = scale * Float((block + 2).load(fromByteOffset: index, as: Int8.self))
            }
        case .float32, .float16, .bfloat16, .int8, .int16, .int32:
            preconditionFailure("\(format) has no blocks")
        }
    }

    /// Decodes numbers of four bits, each with a fifth one from `high`.
    ///
    /// - Parameter minimum: −0 for a format without one, since adding it preserves even the sign of a zero.
    private static func decode(
        _ numbers: UnsafeRawPointer, high: UInt32, scale: Float, offset: Int32, minimum: Float,
        _ values: UnsafeMutablePointer<Float>
    ) {
        for index in 0..<valueCount / 2 {
            let pair = UInt32(numbers.load(fromByteOffset: index, as: UInt8.self))
            let first = pair & 15 | (high >> UInt32(index) & 1) << 4
            let second = pair >> 4 | (high >> UInt32(index + 16) & 1) << 4
            values[index] = scale * Float(Int32(first) - offset) + minimum
            values[index + 16] = scale * Float(Int32(second) - offset) + minimum
        }
    }

    private static func float16(_ bytes: UnsafeRawPointer) -> Float {
        var value: Float = 0
        NumberConversion.float16(bytes, count: 1, into: &value)
        return value
    }

    private static func bits(_ bytes: UnsafeRawPointer) -> UInt32 {
        UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
    }
}
