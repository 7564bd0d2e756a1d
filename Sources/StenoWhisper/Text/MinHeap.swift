import StenoCore

/// A binary min-heap of numbers.
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

    /// Removes and returns the lowest number; nil if the heap is empty.
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
