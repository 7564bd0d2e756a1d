import StenoCore

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

    /// - Parameter block: At any alignment.
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
        case .float32, .float16, .bfloat16, .int8, .int16, .int32: preconditionFailure("\(format) has no blocks")
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

/// Encodes float32 weights for a file, as CTranslate2's converter does.
enum WeightEncoding {
    /// A row's scale in int8, 127 / max|w|.
    static func scale(ofRow values: UnsafePointer<Float>, count: Int) -> Float {
        var largest: Float = 0
        for index in 0..<count { largest = max(largest, abs(values[index])) }
        // A row of zeros has scale 1, and a tiny one the largest scale.
        return 127 / (largest == 0 ? 127 : max(largest, 127 / Float.greatestFiniteMagnitude))
    }

    /// The numbers of rows in int8: number = w · scale, to nearest with ties to even.
    static func numbers(
        _ values: UnsafePointer<Float>, rowCount: Int, scales: some Collection<Float>
    ) -> [Int8] {
        [Int8](unsafeUninitializedCapacity: scales.count * rowCount) { numbers, initialized in
            for (row, scale) in scales.enumerated() {
                for index in row * rowCount..<(row + 1) * rowCount {
                    numbers[index] = Int8((values[index] * scale).rounded(.toNearestOrEven))
                }
            }
            initialized = scales.count * rowCount
        }
    }

    /// The bytes of values in float32, float16 or bfloat16.
    ///
    /// - Throws: `modelUnsupported` for a value that float16 cannot hold.
    static func bytes(
        _ values: UnsafePointer<Float>, count: Int, in format: StorageFormat, tensor: String
    ) throws -> [UInt8] {
        guard format != .float32 else {
            return Array(UnsafeRawBufferPointer(start: values, count: count * MemoryLayout<Float>.size))
        }
        let halves = [UInt16](unsafeUninitializedCapacity: count) { buffer, initialized in
            if let base = buffer.baseAddress {
                if format == .float16 {
                    NumberConversion.narrowToFloat16(values, count: count, into: base)
                } else {
                    NumberConversion.narrowToBFloat16(values, count: count, into: base)
                }
            }
            initialized = count
        }
        try ensure(
            format == .bfloat16 || !halves.contains(where: { $0 & 0x7FFF == 0x7C00 }), or: .modelUnsupported,
            "The tensor \(tensor) has weights that float16 cannot hold. Convert to bfloat16 or float32 instead.")
        return halves.withUnsafeBytes { Array($0) }
    }
}
