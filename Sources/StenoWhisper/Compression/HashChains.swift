/// Finds earlier occurrences of the next bytes as zlib does at level 6: from the latest one backwards, for a limited
/// number of tries.
struct HashChains {
    /// An earlier occurrence of bytes.
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
