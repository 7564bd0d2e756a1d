/// How a tensor's values are stored in a file: in blocks of a few values with a fixed number of bytes.
///
/// A plain number is a block of one value. A row of a tensor is always a whole number of blocks, so rows can be read
/// individually.
package enum StorageFormat: String, Sendable, CaseIterable {
    case float32, float16, bfloat16
    /// CTranslate2's int8, with a separate float32 scale per row: weight = number / scale.
    case int8
    case int16, int32
    /// GGML's blocks of 32 numbers: see ``GGMLBlock``.
    case q4_0, q4_1, q5_0, q5_1, q8_0

    /// The format's name in messages.
    package var name: String { rawValue }

    package var valuesPerBlock: Int {
        switch self {
        case .float32, .float16, .bfloat16, .int8, .int16, .int32: 1
        case .q4_0, .q4_1, .q5_0, .q5_1, .q8_0: GGMLBlock.valueCount
        }
    }

    package var bytesPerBlock: Int {
        switch self {
        case .int8: 1
        case .int16, .float16, .bfloat16: 2
        case .float32, .int32: 4
        case .q4_0: 18
        case .q4_1: 20
        case .q5_0: 22
        case .q5_1: 24
        case .q8_0: 34
        }
    }

    /// The byte count of a row of `values` values; nil if it is not a whole number of blocks or is absurdly large.
    package func byteCount(ofRow values: Int) -> Int? {
        guard values >= 0, values % valuesPerBlock == 0 else { return nil }
        let (bytes, overflow) = (values / valuesPerBlock).multipliedReportingOverflow(by: bytesPerBlock)
        return overflow ? nil : bytes
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
        case .q4_0, .q4_1, .q5_0, .q5_1, .q8_0:
            for block in 0..<count / valuesPerBlock {
                GGMLBlock.decode(self, bytes + block * bytesPerBlock, into: values + block * valuesPerBlock)
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
}
