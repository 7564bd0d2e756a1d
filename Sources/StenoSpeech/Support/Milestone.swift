import StenoCore

/// A number that only grows, and tasks that wait until it has reached a value.
final class Milestone: Sendable {
    private let reached = Monitor(-1)

    /// How many tasks wait; a test has to see that they do before it continues.
    var waiters: Int { reached.waitingCount }

    /// The number has grown to `value`.
    func reach(_ value: Int) { reached.update { $0 = max($0, value) } }

    /// Nobody has to wait any more.
    func end() { reach(.max) }

    /// Returns when `target` is reached, or the waiting task is cancelled.
    func wait(for target: Int) async {
        try? await reached.wait { reached -> Void? in reached >= target ? () : nil }
    }
}
