import StenoCompute
import StenoCore

/// Turns text into token ids by byte-level byte-pair encoding.
///
/// It merges as in Sennrich et al. 2016, applied to bytes as in Radford et al. 2019. In vocabularies of GPT-2's kind a
/// token's id is also the rank of the merge that produces it, so the vocabulary is all that is needed: two neighbours
/// may be merged if their concatenation is a token, lowest id first and leftmost first among equals. That is the rule
/// of tiktoken, which OpenAI's Whisper uses.
struct BytePairEncoder: Sendable {
    private let table: Lazy<TokenTable>

    /// Creates an encoder for the tokens below `textTokenCount`, which excludes the special tokens.
    init(_ vocabulary: Vocabulary, textTokenCount: Int) {
        table = Lazy { TokenTable(vocabulary, count: textTokenCount) }
    }

    /// The tokens of a text, in at worst O(n log n) time in the length of its longest word.
    func encode(_ text: String) -> [Int] {
        let table = table.value
        let bytes = Array(text.utf8)
        var pieces = PreTokenizer(bytes)
        var merge = BytePairMerge()
        var tokens: [Int] = []
        bytes.withUnsafeBufferPointer { buffer in
            while let piece = pieces.next() {
                if let token = table.id(of: buffer, piece) {
                    tokens.append(token)
                } else {
                    merge.run(buffer, piece, table, into: &tokens)
                }
            }
        }
        return tokens
    }
}

/// Merges one piece at a time, in buffers that are reused for the next piece.
///
/// The parts form a linked list over the piece's byte positions; candidates for merging wait in a heap. An entry made
/// stale by a neighbour's merge is recognised when it is popped, because the part's rank has changed.
private struct BytePairMerge {
    /// By the position of a part's first byte: the start of the next part (the piece's length after the last).
    private var next: [Int32] = []
    /// By the position of a part's first byte: the start of the previous part, −1 for the first.
    private var previous: [Int32] = []
    /// By the position of a part's first byte: the id of its merge with the next part, or `none` if that is not a
    /// token.
    private var rank: [UInt32] = []
    /// Rank in the high half, position in the low half: the lowest entry is the next merge.
    private var candidates = MinHeap()

    private static let none = UInt32.max

    mutating func run(
        _ bytes: UnsafeBufferPointer<UInt8>, _ piece: Range<Int>, _ table: TokenTable, into tokens: inout [Int]
    ) {
        let bytes = UnsafeBufferPointer(rebasing: bytes[piece])
        start(bytes.count)
        for position in 0..<bytes.count { updateRank(position, bytes, table) }
        while let candidate = candidates.popFirst() {
            let position = Int(candidate & 0xFFFF_FFFF)
            guard rank[position] == UInt32(candidate >> 32) else { continue }
            mergeWithNext(position)
            updateRank(position, bytes, table)
            if previous[position] >= 0 { updateRank(Int(previous[position]), bytes, table) }
        }
        var position = 0
        while position < bytes.count {
            let end = Int(next[position])
            if let token = table.id(of: bytes, position..<end) { tokens.append(token) }
            position = end
        }
    }

    private mutating func start(_ count: Int) {
        next.removeAll(keepingCapacity: true)
        previous.removeAll(keepingCapacity: true)
        next.append(contentsOf: 1...Int32(count))
        previous.append(contentsOf: -1..<Int32(count) - 1)
        rank = [UInt32](repeating: Self.none, count: count)
    }

    private mutating func mergeWithNext(_ position: Int) {
        let absorbed = Int(next[position])
        let after = next[absorbed]
        next[position] = after
        if Int(after) < previous.count { previous[Int(after)] = Int32(position) }
        rank[absorbed] = Self.none
    }

    private mutating func updateRank(_ position: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ table: TokenTable) {
        rank[position] = Self.none
        let neighbour = Int(next[position])
        guard neighbour < bytes.count, let id = table.id(of: bytes, position..<Int(next[neighbour])) else { return }
        rank[position] = UInt32(id)
        candidates.insert(UInt64(id) << 32 | UInt64(position))
    }
}

struct MinHeap {
    private var items: [UInt64] = []

    mutating func insert(_ item: UInt64) {
        items.append(item)
        var child = items.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard items[child] < items[parent] else { return }
            items.swapAt(child, parent)
            child = parent
        }
    }

    mutating func popFirst() -> UInt64? {
        guard let first = items.first, let last = items.popLast() else { return nil }
        guard !items.isEmpty else { return first }
        items[0] = last
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < items.count else { return first }
            if child + 1 < items.count, items[child + 1] < items[child] { child += 1 }
            guard items[child] < items[parent] else { return first }
            items.swapAt(child, parent)
            parent = child
        }
    }
}
