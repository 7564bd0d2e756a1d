/// The number of bytes to which zlib compresses data at level 6, counted without compressing it.
///
/// The thresholds for the compression ratio assume this compressor. Others, including zlib's replacement on some
/// systems (zlib-ng), write the same format with different lengths, so that a window would be decoded again on one
/// machine and not on another. This type makes the same choices as zlib: which matches it finds (``HashChains``), which
/// of them it takes (lazy matching, here), and how it writes them (``DeflateBlock``). The format is that of RFC 1951
/// within RFC 1950.
struct ZlibLength {
    /// The header and the checksum, in bytes.
    private static let wrapper = 6
    /// A match of this length is taken without looking for a longer one at the next byte.
    private static let good = 16
    /// A match of three bytes from farther away is no shorter than the bytes themselves.
    private static let far = 4_096

    private let bytes: [UInt8]
    private var chains: HashChains
    private var block = DeflateBlock()
    private var blockStart = 0
    /// The length of the blocks that are complete, in bits.
    private var bits = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        chains = HashChains(bytes)
    }

    /// The compressed length of bytes.
    static func of(_ bytes: [UInt8]) -> Int {
        var compressor = ZlibLength(bytes)
        return compressor.length()
    }

    private mutating func length() -> Int {
        var position = 0
        // The open decision: whether the previous byte becomes a literal or the beginning of this match.
        var isUndecided = false
        var previous: HashChains.Match?
        while position < bytes.count {
            let match = match(at: position, insteadOf: previous)
            if let previous, (match?.length ?? 0) <= previous.length {
                block.add(length: previous.length, distance: position - 1 - previous.start)
                let end = position - 1 + previous.length
                for next in position + 1..<end { _ = chains.insert(next) }
                position = end
                isUndecided = false
                endFullBlock(at: position)
            } else {
                if isUndecided {
                    block.add(literal: bytes[position - 1])
                    endFullBlock(at: position)
                }
                isUndecided = true
                position += 1
            }
            previous = isUndecided ? match : nil
        }
        if isUndecided { block.add(literal: bytes[position - 1]) }
        return Self.wrapper + (block.end(after: bits, byteCount: position - blockStart) + 7) / 8
    }

    /// The match at a position, if it may be longer than the previous byte's.
    private mutating func match(at position: Int, insteadOf previous: HashChains.Match?) -> HashChains.Match? {
        let length = previous?.length ?? HashChains.shortest - 1
        let candidate = chains.insert(position)
        guard let candidate, length < Self.good,
            let match = chains.longest(at: position, from: candidate, longerThan: length)
        else { return nil }
        return match.length == HashChains.shortest && position - match.start > Self.far ? nil : match
    }

    private mutating func endFullBlock(at position: Int) {
        guard block.isFull else { return }
        bits = block.end(after: bits, byteCount: position - blockStart)
        block = DeflateBlock()
        blockStart = position
    }
}
