/// GGML's K-quantised blocks: 256 numbers of 4 to 6 bits in groups, whose scales are numbers too.
///
/// ```
/// q4_K   d · m · 12 bytes of scales · 128 bytes                 weight = d · scale · number − m · minimum
/// q5_K   d · m · 12 bytes of scales · 32 bytes · 128 bytes      the same; the 32 bytes have the fifth bits
/// q6_K   128 bytes · 64 bytes · 16 signed scales · d            weight = d · scale · (number − 32)
/// ```
/// `d` and `m` are float16. Eight groups of 32 have a scale and a minimum of 6 bits each, sixteen groups of 16 a scale of
/// 8 bits. Products of a scale are exact in float32, except the last one of q6_K, and are rounded in the order of ggml.
enum GGMLSuperBlock {
    static let valueCount = 256

    /// Decodes one block.
    ///
    /// - Parameters:
    ///   - format: One of the formats above.
    ///   - block: The block's bytes, at any alignment.
    static func decode(_ format: StorageFormat, _ block: UnsafeRawPointer, into values: UnsafeMutablePointer<Float>) {
        switch format {
        case .q4_K: decodeGroups(block, numbers: block + 16, fifths: nil, values)
        case .q5_K: decodeGroups(block, numbers: block + 48, fifths: block + 16, values)
        case .q6_K: decodeSixBits(block, values)
        default: preconditionFailure("\(format) has no blocks of 256")
        }
    }

    /// Numbers of four bits: the low halves of 32 bytes are a group, and the high halves the next one.
    ///
    /// - Parameter fifths: The fifth bits of all numbers: bit g of byte i belongs to number i of group g.
    private static func decodeGroups(
        _ block: UnsafeRawPointer, numbers: UnsafeRawPointer, fifths: UnsafeRawPointer?,
        _ values: UnsafeMutablePointer<Float>
    ) {
        let scale = GGMLBlock.float16(block), minimum = GGMLBlock.float16(block + 2)
        for group in 0..<8 {
            let factors = factors(block + 4, group)
            let step = scale * Float(factors.scale), offset = minimum * Float(factors.minimum)
            for index in 0..<32 {
                var number = byte(numbers, group / 2 * 32 + index) >> UInt8(group % 2 * 4) & 15
                if let fifths { number |= (byte(fifths, index) >> UInt8(group) & 1) << 4 }
                values[group * 32 + index] = step * Float(number) - offset
            }
        }
    }

    /// The scale and the minimum of a group: the low six bits of two bytes, or for the last four groups, four bits of a
    /// third byte and the high two of those.
    private static func factors(_ bytes: UnsafeRawPointer, _ group: Int) -> (scale: UInt8, minimum: UInt8) {
        guard group >= 4 else { return (byte(bytes, group) & 63, byte(bytes, group + 4) & 63) }
        let low = byte(bytes, group + 4)
        return (low & 15 | (byte(bytes, group - 4) >> 6) << 4, low >> 4 | (byte(bytes, group) >> 6) << 4)
    }

    /// Each half of 128 numbers has 64 bytes with their low four bits and 32 with their high two.
    private static func decodeSixBits(_ block: UnsafeRawPointer, _ values: UnsafeMutablePointer<Float>) {
        let scale = GGMLBlock.float16(block + 208)
        for index in 0..<valueCount {
            let half = index / 128, quarter = index % 128 / 32, place = index % 32
            let low = byte(block, half * 64 + quarter % 2 * 32 + place) >> UInt8(quarter / 2 * 4) & 15
            let high = byte(block + 128, half * 32 + place) >> UInt8(quarter * 2) & 3
            let factor = (block + 192).load(fromByteOffset: index / 16, as: Int8.self)
            values[index] = scale * Float(factor) * Float(Int(low | high << 4) - 32)
        }
    }

    private static func byte(_ bytes: UnsafeRawPointer, _ index: Int) -> UInt8 {
        bytes.load(fromByteOffset: index, as: UInt8.self)
    }
}
