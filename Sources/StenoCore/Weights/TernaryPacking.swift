/// Weights of −1, 0 and 1, five in a byte: the digits of a number in base 3, the least significant first, each one more
/// than its weight.
///
/// A row begins with a new byte. ``groupSize`` weights of a row share a scale, which is stored separately.
package enum TernaryPacking {
    /// The number of weights of a row that share a scale; the kernels' ternary matrices have the same groups.
    package static let groupSize = 128
    static let weightsPerByte = 5

    /// The number of scales of a row.
    static func groups(ofRow values: Int) -> Int { (values + groupSize - 1) / groupSize }

    /// The weights of each byte that has a meaning.
    private static let weights: [Int8] = (0..<243).flatMap { byte in
        [1, 3, 9, 27, 81].map { Int8(byte / $0 % 3 - 1) }
    }

    /// Decodes the weights of a row.
    ///
    /// - Returns: False if a byte has no meaning.
    static func decode(_ bytes: UnsafeRawPointer, count: Int, into row: UnsafeMutablePointer<Int8>) -> Bool {
        weights.withUnsafeBufferPointer { table in
            guard let table = table.baseAddress else { return false }
            for start in stride(from: 0, to: count, by: weightsPerByte) {
                let byte = Int(bytes.load(fromByteOffset: start / weightsPerByte, as: UInt8.self))
                guard byte < 243 else { return false }
                let digits = table + byte * weightsPerByte
                for digit in 0..<min(weightsPerByte, count - start) { row[start + digit] = digits[digit] }
            }
            return true
        }
    }
}
