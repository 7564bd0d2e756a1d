import StenoCore

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
        guard format == .bfloat16 || !halves.contains(where: { $0 & 0x7FFF == 0x7C00 }) else {
            throw StenoError(
                .modelUnsupported,
                "The tensor \(tensor) has weights that float16 cannot hold. Convert to bfloat16 or float32 instead.")
        }
        return halves.withUnsafeBytes { Array($0) }
    }
}
