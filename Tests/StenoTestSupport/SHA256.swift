public import Foundation

/// SHA-256 (FIPS 180-4), so that tests identify a recording or a file by its hash without another package.
public struct SHA256 {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var pending = Data()
    private var length: UInt64 = 0

    /// Starts with no data.
    public init() {}

    /// Adds bytes.
    public mutating func update(_ data: Data) {
        length += UInt64(data.count)
        pending.append(data)
        let whole = pending.count / 64 * 64
        guard whole > 0 else { return }
        Data(pending.prefix(whole)).withUnsafeBytes { bytes in
            for block in stride(from: 0, to: whole, by: 64) {
                compress(UnsafeRawBufferPointer(rebasing: bytes[block..<block + 64]))
            }
        }
        pending = Data(pending.dropFirst(whole))
    }

    /// The hash of all data added, as 64 hexadecimal digits.
    public func hexDigest() -> String {
        var copy = self
        let bits = length * 8
        let zeros = (119 - Int(length % 64)) % 64
        copy.update(Data([0x80]) + Data(count: zeros) + withUnsafeBytes(of: bits.bigEndian) { Data($0) })
        return copy.state.map { String(UInt64($0) + 0x1_0000_0000, radix: 16).dropFirst() }.joined()
    }

    /// The hash of some data, as 64 hexadecimal digits.
    public static func hexDigest(of data: Data) -> String {
        var hash = SHA256()
        hash.update(data)
        return hash.hexDigest()
    }

    /// The hash by which goldens identify a recording: the first 16 digits over the samples as little-endian floats.
    public static func fingerprint(of samples: [Float]) -> String {
        String(hexDigest(of: samples.withUnsafeBytes { Data($0) }).prefix(16))
    }

    private mutating func compress(_ block: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 72) { words in
            let (schedule, sums) = (words.baseAddress, state)
            guard let schedule else { return }
            let s = schedule + 64
            for index in 0..<16 {
                schedule[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
            }
            for index in 16..<64 {
                let (near, far) = (schedule[index - 2], schedule[index - 15])
                schedule[index] =
                    schedule[index - 16] &+ schedule[index - 7]
                    &+ (rotate(far, 7) ^ rotate(far, 18) ^ (far &>> 3))
                    &+ (rotate(near, 17) ^ rotate(near, 19) ^ (near &>> 10))
            }
            for index in 0..<8 { s[index] = sums[index] }
            for index in 0..<64 { Self.round(s, schedule[index] &+ Self.constants[index]) }
            for index in 0..<8 { state[index] = sums[index] &+ s[index] }
        }
    }

    private static func round(_ s: UnsafeMutablePointer<UInt32>, _ word: UInt32) {
        let (a, e) = (s[0], s[4])
        let first = s[7] &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ ((e & s[5]) ^ (~e & s[6])) &+ word
        let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]))
        for index in stride(from: 7, to: 0, by: -1) { s[index] = s[index - 1] }
        s[4] = s[4] &+ first
        s[0] = first &+ second
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = primes(64).map { prime in
        let root = Foundation.cbrt(Double(prime))
        return UInt32((root - root.rounded(.down)) * 4_294_967_296)
    }

    private static func primes(_ count: Int) -> [Int] {
        var found: [Int] = []
        var candidate = 2
        while found.count < count {
            if !found.contains(where: { candidate % $0 == 0 }) { found.append(candidate) }
            candidate += 1
        }
        return found
    }
}

private func rotate(_ value: UInt32, _ by: UInt32) -> UInt32 {
    (value &>> by) | (value &<< (32 &- by))
}
