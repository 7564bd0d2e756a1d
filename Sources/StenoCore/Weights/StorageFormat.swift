/// How a tensor's values are stored in a file: in blocks of a few values with a fixed number of bytes.
///
/// A plain number is a block of one value. A row of a tensor is always a whole number of blocks, so rows can be read
/// individually.
package enum StorageFormat: String, Sendable, CaseIterable {
    case float32, float16, bfloat16
    /// CTranslate2's int8, with a separate float32 scale per row: weight = number / scale.
    case int8
    case int16, int32
    /// GGML blocks of 32: a float16 `d`, then 32 int8 numbers; weight = d · number.
    case q8_0
    /// GGML blocks of 32: a float16 `d`, then 16 bytes, whose low halves are values 0 to 15 and high halves values 16
    /// to 31; weight = d · (number − 8).
    case q4_0

    /// The format's name in messages.
    package var name: String { rawValue }

    /// The number of values in a block.
    package var valuesPerBlock: Int {
        switch self {
        case .float32, .float16, .bfloat16, .int8, .int16, .int32: 1
        case .q8_0, .q4_0: 32
        }
    }

    /// The size of a block in bytes.
    package var bytesPerBlock: Int {
        switch self {
        case .int8: 1
        case .int16, .float16, .bfloat16: 2
        case .float32, .int32: 4
        case .q8_0: 34
        case .q4_0: 18
        }
    }

    /// The size of a row of `values` values in bytes; nil if it is not a whole number of blocks or is absurdly large.
    package func byteCount(ofRow values: Int) -> Int? {
        let (blocks, rest) = values.quotientAndRemainder(dividingBy: valuesPerBlock)
        let (bytes, overflow) = blocks.multipliedReportingOverflow(by: bytesPerBlock)
        return rest == 0 && values >= 0 && !overflow ? bytes : nil
    }

    /// Decodes `count` values, a whole number of blocks, to float32; integers keep their values, unscaled.
    ///
    /// - Parameter bytes: At any alignment.
    package func decode(_ bytes: UnsafeRawPointer, count: Int, into values: UnsafeMutablePointer<Float>) {
        precondition(count % valuesPerBlock == 0)
        switch self {
        case .float32:
            UnsafeMutableRawPointer(values).copyMemory(from: bytes, byteCount: count * MemoryLayout<Float>.size)
        case .float16: NumberConversion.float16(bytes, count: count, into: values)
        case .bfloat16: NumberConversion.bfloat16(bytes, count: count, into: values)
        case .int8: for index in 0..<count { values[index] = Float(bytes.load(fromByteOffset: index, as: Int8.self)) }
        case .int16: Self.decodeIntegers(Int16.self, bytes, count, values)
        case .int32: Self.decodeIntegers(Int32.self, bytes, count, values)
        case .q8_0:
            eachBlock(bytes, count, values) { scale, numbers, values in
                for index in 0..<32 {
                    values[index] = scale * Float(numbers.load(fromByteOffset: index, as: Int8.self))
                }
            }
        case .q4_0:
            eachBlock(bytes, count, values) { scale, numbers, values in
                for index in 0..<16 {
                    let pair = Int(numbers.load(fromByteOffset: index, as: UInt8.self))
                    values[index] = scale * Float(pair & 15 - 8)
                    values[index + 16] = scale * Float(pair >> 4 - 8)
                }
            }
        }
    }

    private static func decodeIntegers<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type, _ bytes: UnsafeRawPointer, _ count: Int, _ values: UnsafeMutablePointer<Float>
    ) {
        for index in 0..<count {
            let number = bytes.loadUnaligned(fromByteOffset: index * MemoryLayout<Number>.size, as: Number.self)
            values[index] = Float(Number(littleEndian: number))
        }
    }

    /// Calls `decode` with each block's scale, the bytes after the scale, and the destination.
    private func eachBlock(
        _ bytes: UnsafeRawPointer, _ count: Int, _ values: UnsafeMutablePointer<Float>,
        _ decode: (Float, UnsafeRawPointer, UnsafeMutablePointer<Float>) -> Void
    ) {
        var scale: Float = 0
        for block in 0..<count / valuesPerBlock {
            let start = bytes + block * bytesPerBlock
            NumberConversion.float16(start, count: 1, into: &scale)
            decode(scale, start + 2, values + block * valuesPerBlock)
        }
    }
}
