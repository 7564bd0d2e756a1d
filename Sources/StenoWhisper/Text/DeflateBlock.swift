/// A block of compressed data (RFC 1951, section 3.2): the frequencies of its symbols, which determine its length.
struct DeflateBlock {
    /// zlib ends a block after this many literals and matches.
    private static let capacity = 16_383
    private static let endOfBlock = 256
    private static let firstLength = 257
    /// The order in which the lengths of the code length codes are written.
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    /// The lengths of the fixed literal and length codes.
    private static let fixedLengths =
        [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
        + [Int](repeating: 8, count: 8)
    private static let fixedDistanceLength = 5

    private var literals = [Int](repeating: 0, count: 286)
    private var distances = [Int](repeating: 0, count: 30)
    /// The number of extra bits after the length and distance codes.
    private var extraBits = 0
    private var count = 0

    var isFull: Bool { count == Self.capacity }

    mutating func add(literal: UInt8) {
        literals[Int(literal)] += 1
        count += 1
    }

    mutating func add(length: Int, distance: Int) {
        // The maximum length has its own code.
        let (lengthCode, lengthBits) = length == 258 ? (28, 0) : Self.code(length - 3, fineBits: 2)
        let (distanceCode, distanceBits) = Self.code(distance - 1, fineBits: 1)
        literals[Self.firstLength + lengthCode] += 1
        distances[distanceCode] += 1
        extraBits += lengthBits + distanceBits
        count += 1
    }

    /// The bit at which the block ends, in the shortest of the three encodings.
    ///
    /// - Parameter byteCount: The number of bytes in the block, which begins at bit `start`.
    func end(after start: Int, byteCount: Int) -> Int {
        var literals = literals
        literals[Self.endOfBlock] = 1
        let literalTree = HuffmanTree(literals, longest: 15)
        let distanceTree = HuffmanTree(distances, longest: 15)
        let codes =
            Self.sum(literals, literalTree.lengths) + Self.sum(distances, distanceTree.lengths)
            + Self.description(of: [literalTree, distanceTree])
        let fixedCodes =
            Self.sum(literals, Self.fixedLengths) + Self.fixedDistanceLength * distances.reduce(0, +)
        // zlib compares bytes, not bits, and prefers the fixed codes.
        let bytes = (Self.header + codes + extraBits + 7) / 8
        let fixedBytes = (Self.header + fixedCodes + extraBits + 7) / 8
        if byteCount + 4 <= min(bytes, fixedBytes) {
            // Stored uncompressed after their number, from the next byte boundary.
            return (start + Self.header + 7) / 8 * 8 + 8 * (4 + byteCount)
        }
        return start + Self.header + extraBits + (fixedBytes <= bytes ? fixedCodes : codes)
    }

    /// The number of bits that give the encoding of a block.
    private static let header = 3

    /// The code of a length or distance and the number of its extra bits; each power of two has `1 << fineBits` codes.
    private static func code(_ value: Int, fineBits: Int) -> (Int, Int) {
        let extra = max(0, Int.bitWidth - value.leadingZeroBitCount - 1 - fineBits)
        return (extra << fineBits + value >> extra, extra)
    }

    private static func sum(_ counts: [Int], _ lengths: [Int]) -> Int {
        var sum = 0
        for (count, length) in zip(counts, lengths) { sum += count * length }
        return sum
    }

    // MARK: The description of the codes

    /// The number of bits that the code lengths take before the data.
    private static func description(of trees: [HuffmanTree]) -> Int {
        var counts = [Int](repeating: 0, count: 19)
        for tree in trees { countRuns(tree, into: &counts) }
        let tree = HuffmanTree(counts, longest: 7)
        let written = (order.lastIndex { tree.lengths[$0] > 0 } ?? 3) + 1
        return 14 + 3 * written + sum(counts, tree.lengths) + 2 * counts[16] + 3 * counts[17] + 7 * counts[18]
    }

    /// Counts the symbols that encode the code lengths: 16 repeats the previous length three to six times, 17 and 18
    /// are runs of up to 10 and up to 138 zeros.
    private static func countRuns(_ tree: HuffmanTree, into counts: inout [Int]) {
        var run = 0
        var before: Int?
        for symbol in 0...tree.last {
            let length = tree.lengths[symbol]
            run += 1
            let (longest, shortest) = length == 0 ? (138, 3) : length == before ? (6, 3) : (7, 4)
            if run < longest, symbol < tree.last, tree.lengths[symbol + 1] == length { continue }
            if run < shortest {
                counts[length] += run
            } else if length > 0 {
                if length != before { counts[length] += 1 }
                counts[16] += 1
            } else {
                counts[run <= 10 ? 17 : 18] += 1
            }
            (before, run) = (length, 0)
        }
    }
}
