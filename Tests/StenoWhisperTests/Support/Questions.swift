/// Counts how often a piece of work asks whether it is cancelled, and says yes from one question on.
final class Questions {
    private(set) var count = 0
    private let first: Int

    init(yesFrom first: Int = .max) { self.first = first }

    func ask() -> Bool {
        count += 1
        return count >= first
    }
}
