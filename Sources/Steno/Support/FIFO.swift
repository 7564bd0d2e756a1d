/// A first-in, first-out queue whose both ends take constant time on average.
///
/// Two arrays: the older elements in reverse order, then the newer ones (Okasaki 1998, Purely Functional Data Structures).
struct FIFO<Element> {
    private var older: [Element] = []
    private var newer: [Element] = []

    /// Creates a queue with elements, the first to be removed first.
    init(_ elements: [Element] = []) { newer = elements }

    var count: Int { older.count + newer.count }
    var isEmpty: Bool { older.isEmpty && newer.isEmpty }
    /// The element that is removed next.
    var first: Element? { older.last ?? newer.first }
    /// All elements in order.
    var elements: [Element] { older.reversed() + newer }

    mutating func append(_ element: Element) { newer.append(element) }

    mutating func popFirst() -> Element? {
        if older.isEmpty { (older, newer) = (newer.reversed(), []) }
        return older.popLast()
    }
}

extension FIFO: Sendable where Element: Sendable {}
