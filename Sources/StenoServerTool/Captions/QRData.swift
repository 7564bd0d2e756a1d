#if Server
    /// The codewords of a QR code: the bytes with their header, padding and error correction, interleaved.
    struct QRData {
        let codewords: [UInt8]

        init(_ bytes: [UInt8], _ version: QRVersion) {
            let data = Self.data(bytes, version)
            var blocks: [[UInt8]] = []
            var start = 0
            for count in version.blocks {
                blocks.append(Array(data[start..<start + count]))
                start += count
            }
            let code = ReedSolomon(version.correction)
            let corrections = blocks.map(code.remainder)
            codewords = Self.interleaved(blocks) + Self.interleaved(corrections)
        }

        /// The data codewords: the mode (bytes), the length, the bytes, and padding.
        private static func data(_ bytes: [UInt8], _ version: QRVersion) -> [UInt8] {
            var bits = QRBits()
            bits.append(0b0100, count: 4)
            bits.append(bytes.count, count: version.lengthBits)
            for byte in bytes { bits.append(Int(byte), count: 8) }
            bits.append(0, count: min(4, version.dataCount * 8 - bits.count))
            var data = bits.bytes
            for padding in (0...).lazy.map({ $0.isMultiple(of: 2) ? UInt8(0xEC) : 0x11 }) {
                guard data.count < version.dataCount else { break }
                data.append(padding)
            }
            return data
        }

        private static func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
            let longest = blocks.map(\.count).max() ?? 0
            return (0..<longest).flatMap { index in blocks.filter { index < $0.count }.map { $0[index] } }
        }
    }

    /// Bits, the most significant first.
    private struct QRBits {
        private var bits: [Bool] = []

        var count: Int { bits.count }

        mutating func append(_ value: Int, count: Int) {
            for shift in stride(from: count - 1, through: 0, by: -1) { bits.append(value >> shift & 1 == 1) }
        }

        /// The bytes; the last one is padded with zeros.
        var bytes: [UInt8] {
            stride(from: 0, to: bits.count, by: 8).map { start in
                (start..<start + 8).reduce(0) { $0 << 1 | (bits.indices.contains($1) && bits[$1] ? 1 : 0) }
            }
        }
    }

    /// Reed-Solomon codes over GF(256) with the polynomial 0x11D.
    private struct ReedSolomon {
        private let generator: [UInt8]

        /// - Parameter count: The number of error correction codewords.
        init(_ count: Int) {
            var generator: [UInt8] = [1]
            var root: UInt8 = 1
            for _ in 0..<count {
                var next = generator + [0]
                for (index, factor) in generator.enumerated() { next[index + 1] ^= Self.product(factor, root) }
                generator = next
                root = Self.product(root, 2)
            }
            self.generator = Array(generator.dropFirst())
        }

        func remainder(_ block: [UInt8]) -> [UInt8] {
            var rest = [UInt8](repeating: 0, count: generator.count)
            for byte in block {
                let factor = byte ^ rest.removeFirst()
                rest.append(0)
                for (index, value) in generator.enumerated() { rest[index] ^= Self.product(value, factor) }
            }
            return rest
        }

        private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
            var (result, left, right) = (UInt8(0), left, right)
            while right > 0 {
                if right & 1 == 1 { result ^= left }
                left = left << 1 ^ (left & 0x80 > 0 ? 0x1D : 0)
                right >>= 1
            }
            return result
        }
    }
#endif
