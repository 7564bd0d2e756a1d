import StenoCore

/// A number that only grows, and tasks that wait until it has reached a value.
final class Milestone: Sendable {
    private let reached = Monitor(-1)

    /// The number of waiting tasks; for tests.
    var waiters: Int { reached.waitingCount }

    /// Raises the number to at least `value`.
    func reach(_ value: Int) { reached.update { $0 = max($0, value) } }

    /// Releases all waiting tasks, now and later.
    func end() { reach(.max) }

    /// Returns when `target` is reached, or the waiting task is cancelled.
    func wait(for target: Int) async { try? await reached.wait { reached -> Void? in reached >= target ? () : nil } }
}
