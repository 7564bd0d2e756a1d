import StenoCompute
import StenoCore

/// Maps a token's bytes to its id: a hash table with open addressing over the vocabulary's own storage.
///
/// A `Dictionary` with 50,000 arrays as keys takes ten times as long to fill, and every lookup would have to allocate
/// such an array; here the bytes of the text itself are the key.
struct TokenTable: Sendable {
    private let vocabulary: Vocabulary
    /// Ids plus one; 0 is an empty slot.
    private var slots: [UInt32]
    private let mask: Int
    /// The length of the longest token, in bytes; longer strings need no lookup.
    private var maximumLength = 0

    /// Indexes the tokens with ids below `count`; of equal tokens the lowest id wins.
    init(_ vocabulary: Vocabulary, count: Int) {
        self.vocabulary = vocabulary
        let count = min(count, vocabulary.count)
        var capacity = 1024
        while capacity < count * 2 { capacity *= 2 }
        slots = [UInt32](repeating: 0, count: capacity)
        mask = capacity - 1
        for id in 0..<count { insert(id) }
    }

    private mutating func insert(_ id: Int) {
        let range = vocabulary.range(of: id)
        guard !range.isEmpty else { return }
        let slot = vocabulary.storage.withUnsafeBufferPointer { self.slot(of: $0, range) }
        guard slots[slot] == 0 else { return }
        slots[slot] = UInt32(id + 1)
        maximumLength = max(maximumLength, range.count)
    }

    /// The id of the token with exactly these bytes.
    func id(of bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
        guard range.count <= maximumLength else { return nil }
        let entry = slots[slot(of: bytes, range)]
        return entry == 0 ? nil : Int(entry) - 1
    }

    /// The slot with these bytes, or the empty slot for them; at least half of the slots are empty.
    private func slot(of bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int {
        var slot = Self.hash(bytes, range) & mask
        while slots[slot] != 0, !isToken(Int(slots[slot]) - 1, bytes, range) { slot = (slot + 1) & mask }
        return slot
    }

    private func isToken(_ id: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        let token = vocabulary.range(of: id)
        guard token.count == range.count else { return false }
        return vocabulary.storage.withUnsafeBufferPointer { storage in
            for offset in 0..<token.count
            where storage[token.lowerBound + offset] != bytes[range.lowerBound + offset] { return false }
            return true
        }
    }

    /// FNV-1a with its high half folded in, because only the low bits select the slot.
    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for index in range { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01b3 }
        return Int(truncatingIfNeeded: hash ^ hash >> 32)
    }
}
