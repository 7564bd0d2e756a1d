/// Finds where the next bytes have occurred before, as zlib does at level 6: from the latest occurrence backwards, and not
/// in all of them.
struct HashChains {
    /// Bytes that have occurred before.
    struct Match {
        var start: Int
        var length: Int
    }

    static let shortest = 3
    private static let longestMatch = 258
    /// A match of this length is good enough.
    private static let enough = 128
    /// The occurrences that are tried: fewer where a match of 8 bytes is known already.
    private static let tries = (many: 128, few: 32, good: 8)
    /// The greatest distance: the window less what zlib keeps free at its end.
    private static let farthest = window - longestMatch - shortest - 1
    private static let window = 1 << 15

    private let bytes: [UInt8]
    /// The latest position of each hash; 0 is none, so that the very first bytes are never found, as in zlib.
    private var latest: [Int32]
    /// For each position of the window the one before with the same hash.
    private var earlier: [Int32]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        latest = [Int32](repeating: 0, count: Self.window)
        earlier = [Int32](repeating: 0, count: min(Self.window, bytes.count))
    }

    /// Makes the three bytes at a position known.
    ///
    /// - Returns: The position before that has their hash; nil if there is none within reach.
    mutating func insert(_ position: Int) -> Int? {
        guard position + Self.shortest <= bytes.count else { return nil }
        // Other bytes may share a hash and count as tries, so it must be zlib's.
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
