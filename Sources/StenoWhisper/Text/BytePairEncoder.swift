import StenoCore

/// Turns text into token ids by byte-level byte-pair encoding.
///
/// Sennrich et al. 2016 for the merging, Radford et al. 2019 for doing it on bytes.
/// In vocabularies of GPT-2's kind a token's id is also the rank of the merge that makes it, so the vocabulary says
/// everything: two neighbours may be merged if their bytes together are a token, the lowest id first, the leftmost
/// first among equals. That is tiktoken's rule, which OpenAI's Whisper is used with.
struct BytePairEncoder: Sendable {
    private let table: Lazy<TokenTable>

    /// Creates an encoder whose tokens are the ids below `textTokenCount`; special tokens are not among them.
    init(_ vocabulary: Vocabulary, textTokenCount: Int) {
        table = Lazy { TokenTable(vocabulary, count: textTokenCount) }
    }

    /// The tokens of a text; its time grows with `n log n` at worst, in the length of its longest word.
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

/// The merging of one piece, with buffers that are used again for the next one.
///
/// The parts form a list threaded through the piece's byte positions; candidates for merging wait in a heap. An entry
/// that a neighbour's merge has made stale is recognised when it comes up: the part's rank is no longer the same.
private struct BytePairMerge {
    /// By the position of a part's first byte: where the next part starts (the length of the piece after the last).
    private var next: [Int32] = []
    /// By the position of a part's first byte: where the part before it starts, −1 before the first.
    private var previous: [Int32] = []
    /// By the position of a part's first byte: the id of the part merged with the next, `none` if that is no token.
    private var rank: [UInt32] = []
    /// Rank in the high half, position in the low: the lowest entry is the merge to do first.
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
