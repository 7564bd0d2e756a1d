// Implemented here because Swift has no Float16 on Intel Macs.

/// The IEEE half nearest to a value (ties to even) as its bits; values beyond its range become infinite.
public func float16Bits(_ value: Float) -> UInt16 {
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
public func bfloat16Bits(_ value: Float) -> UInt16 {
    let bits = value.bitPattern
    return UInt16(truncatingIfNeeded: (bits &+ 0x7FFF &+ ((bits &>> 16) & 1)) &>> 16)
}

/// Rows in int8 with per-row scales 127 / max|row|, as from CTranslate2's converter; value ≈ q / scale.
public func quantizedRows(_ values: [Float], count: Int) -> (rows: [Int8], scales: [Float]) {
    let width = values.count / count
    var rows = [Int8](repeating: 0, count: values.count)
    var scales = [Float](repeating: 1, count: count)
    values.withUnsafeBufferPointer { values in
        for row in 0..<count {
            let range = row * width..<(row + 1) * width
            let largest = values[range].reduce(0) { max($0, abs($1)) }
            scales[row] = largest == 0 ? 1 : 127 / largest
            for index in range {
                rows[index] = Int8((values[index] * scales[row]).rounded(.toNearestOrEven))
            }
        }
    }
    return (rows, scales)
}
