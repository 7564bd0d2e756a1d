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

/// How well a text compresses, which reveals a decoder that repeats itself.
package enum CompressionRatio {
    /// The text's UTF-8 length over its length when compressed by zlib at level 6, as by Python's `zlib.compress`.
    static func of(_ text: String) -> Double { of(Array(text.utf8)) }

    /// The number of bytes over their number when compressed by zlib at level 6.
    package static func of(_ bytes: [UInt8]) -> Double { Double(bytes.count) / Double(ZlibLength.of(bytes)) }
}

/// Finds earlier occurrences of the next bytes as zlib does at level 6: from the latest one backwards, for a limited
/// number of tries.
struct HashChains {
    struct Match {
        var start: Int
        var length: Int
    }

    static let shortest = 3
    private static let longestMatch = 258
    /// A match of this length is good enough.
    private static let enough = 128
    /// The number of occurrences tried: fewer if a match of 8 bytes is already known.
    private static let tries = (many: 128, few: 32, good: 8)
    /// The maximum distance: the window without the part that zlib keeps free at its end.
    private static let farthest = window - longestMatch - shortest - 1
    private static let window = 1 << 15

    private let bytes: [UInt8]
    /// The latest position of each hash; 0 means none, so the very first bytes are never found, as in zlib.
    private var latest: [Int32]
    /// For each position in the window, the previous one with the same hash.
    private var earlier: [Int32]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        latest = [Int32](repeating: 0, count: Self.window)
        earlier = [Int32](repeating: 0, count: min(Self.window, bytes.count))
    }

    /// Records the three bytes at a position.
    ///
    /// - Returns: The previous position with the same hash; nil if none is within reach.
    mutating func insert(_ position: Int) -> Int? {
        guard position + Self.shortest <= bytes.count else { return nil }
        // Different bytes with the same hash count as tries, so the hash must be zlib's.
        let hash = (Int(bytes[position]) << 10 ^ Int(bytes[position + 1]) << 5 ^ Int(bytes[position + 2])) % Self.window
        let before = latest[hash]
        earlier[position % Self.window] = before
        latest[hash] = Int32(truncatingIfNeeded: position)
        return before > 0 && position - Int(before) <= Self.farthest ? Int(before) : nil
    }

    /// The longest match of the bytes at a position that is longer than `length`; nil if there is none.
    ///
    /// - Parameter candidate: What ``insert(_:)`` returned for the position.
    func longest(at position: Int, from candidate: Int, longerThan length: Int) -> Match? {
        let most = min(Self.longestMatch, bytes.count - position)
        let oldest = max(0, position - Self.farthest)
        var best = Match(start: 0, length: length)
        var start = candidate
        for _ in 0..<(length < Self.tries.good ? Self.tries.many : Self.tries.few) {
            let found = commonLength(start, position, most)
            if found > best.length {
                best = Match(start: start, length: found)
                if found >= min(Self.enough, most) { break }
            }
            start = Int(earlier[start % Self.window])
            if start <= oldest { break }
        }
        return best.length > length ? best : nil
    }

    private func commonLength(_ first: Int, _ second: Int, _ most: Int) -> Int {
        var length = 0
        while length < most, bytes[first + length] == bytes[second + length] { length += 1 }
        return length
    }
}
