/// A first-in, first-out queue with constant time on average at both ends.
///
/// Two arrays: the older elements in reverse order, then the newer ones (Okasaki 1998, Purely Functional Data Structures).
package struct FIFO<Element> {
    private var older: [Element] = []
    private var newer: [Element] = []

    /// Creates a queue with elements; the first one is removed first.
    package init(_ elements: [Element] = []) { newer = elements }

    /// The number of elements.
    package var count: Int { older.count + newer.count }
    /// Whether the queue is empty.
    package var isEmpty: Bool { older.isEmpty && newer.isEmpty }
    /// The element that is removed next.
    package var first: Element? { older.last ?? newer.first }
    package var elements: [Element] { older.reversed() + newer }

    /// Adds an element at the end.
    package mutating func append(_ element: Element) { newer.append(element) }

    /// Removes the first element; nil if there is none.
    package mutating func popFirst() -> Element? {
        if older.isEmpty { (older, newer) = (newer.reversed(), []) }
        return older.popLast()
    }
}

extension FIFO: Sendable where Element: Sendable {}
