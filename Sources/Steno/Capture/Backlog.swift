import Foundation

/// Counts the samples that were handed over and not taken yet.
///
/// `@unchecked Sendable`: the stored values are only touched while `condition` is held.
final class Backlog: @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting = 0
    private var isClosed = false

    var count: Int { condition.withLock { waiting } }

    func add(_ count: Int) { condition.withLock { waiting += count } }

    func remove(_ count: Int) {
        condition.withLock {
            waiting -= count
            condition.broadcast()
        }
    }

    /// Nothing will be taken any more.
    func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }

    /// Blocks a thread that can wait (never one of Swift's pool) until fewer samples wait, or nothing will be taken.
    func waitUntilBelow(_ limit: Int) {
        condition.withLock {
            while waiting >= limit, !isClosed { condition.wait() }
        }
    }
}
