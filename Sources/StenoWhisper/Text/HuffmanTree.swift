/// The code lengths that zlib assigns to symbols by their frequencies.
///
/// Huffman's method leaves open which of several equally frequent nodes are joined, and does not limit the lengths.
/// zlib joins those with the shallower trees first, and shortens codes that are too long in its own way.
struct HuffmanTree {
    /// The length of each symbol's code in bits; 0 where it does not occur.
    private(set) var lengths: [Int]
    /// The last symbol that has a code.
    private(set) var last = -1

    // The nodes are the symbols, then their parents, in the order in which they are joined.
    private let symbols: Int
    private var frequencies: [Int]
    private var depths: [Int]
    private var parents: [Int]
    /// The rarest node is at index 1, and no node is rarer than the one at half its index; index 0 is not used.
    private var heap = [0]
    /// The nodes in the order in which they were joined in pairs; the root is the last.
    private var joined: [Int] = []

    init(_ frequencies: [Int], longest: Int) {
        symbols = frequencies.count
        let zeros = [Int](repeating: 0, count: frequencies.count)
        self.frequencies = frequencies + zeros
        lengths = zeros + zeros
        depths = zeros + zeros
        parents = zeros + zeros
        heap.reserveCapacity(symbols + 1)
        joined.reserveCapacity(2 * symbols)
        fillHeap()
        join()
        let excess = measure(longest: longest)
        if excess > 0 { shorten(longest: longest, excess: excess) }
        lengths.removeLast(symbols)
    }

    private mutating func fillHeap() {
        for symbol in 0..<symbols where frequencies[symbol] > 0 {
            heap.append(symbol)
            last = symbol
        }
        // At least two symbols have a code, even if fewer occur.
        while heap.count < 3 {
            let symbol = last < 2 ? last + 1 : 0
            frequencies[symbol] = 1
            heap.append(symbol)
            last = max(last, symbol)
        }
        for index in stride(from: (heap.count - 1) / 2, through: 1, by: -1) { sink(index) }
    }

    private mutating func join() {
        var node = symbols
        while heap.count > 2 {
            let first = heap[1]
            heap[1] = heap[heap.count - 1]
            heap.removeLast()
            sink(1)
            let second = heap[1]
            joined.append(first)
            joined.append(second)
            frequencies[node] = frequencies[first] + frequencies[second]
            depths[node] = max(depths[first], depths[second]) + 1
            parents[first] = node
            parents[second] = node
            heap[1] = node
            sink(1)
            node += 1
        }
        joined.append(heap[1])
    }

    private mutating func sink(_ index: Int) {
        let node = heap[index]
        var (place, child) = (index, 2 * index)
        while child < heap.count {
            if child + 1 < heap.count, precedes(heap[child + 1], heap[child]) { child += 1 }
            if precedes(node, heap[child]) { break }
            heap[place] = heap[child]
            (place, child) = (child, 2 * child)
        }
        heap[place] = node
    }

    private func precedes(_ first: Int, _ second: Int) -> Bool {
        frequencies[first] < frequencies[second]
            || frequencies[first] == frequencies[second] && depths[first] <= depths[second]
    }

    /// Sets the lengths, none longer than the limit.
    ///
    /// - Returns: The number of nodes that would be longer.
    private mutating func measure(longest: Int) -> Int {
        var excess = 0
        for node in joined.dropLast().reversed() {
            let length = lengths[parents[node]] + 1
            if length > longest { excess += 1 }
            lengths[node] = min(length, longest)
        }
        return excess
    }

    /// Moves symbols to longer codes until the codes that were too long have room.
    private mutating func shorten(longest: Int, excess: Int) {
        let rarestFirst = joined.filter { $0 < symbols }
        var counts = [Int](repeating: 0, count: longest + 1)
        for symbol in rarestFirst { counts[lengths[symbol]] += 1 }
        for _ in 0..<(excess + 1) / 2 {
            var length = longest - 1
            while counts[length] == 0 { length -= 1 }
            counts[length] -= 1
            counts[length + 1] += 2
            counts[longest] -= 1
        }
        var rest = rarestFirst[...]
        for length in stride(from: longest, through: 1, by: -1) {
            for symbol in rest.prefix(counts[length]) { lengths[symbol] = length }
            rest = rest.dropFirst(counts[length])
        }
    }
}
