/// Counts checks for cancellation, and cancels from a given check on.
final class Questions {
    private(set) var count = 0
    private let first: Int

    init(yesFrom first: Int = .max) { self.first = first }

    func ask() -> Bool {
        count += 1
        return count >= first
    }
}
