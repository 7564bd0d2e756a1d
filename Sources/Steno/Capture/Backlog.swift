import Foundation

/// Counts the samples delivered but not read yet.
///
/// `@unchecked Sendable`: the stored values are accessed only while `condition` is held.
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

    /// Nothing will be read any more.
    func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }

    /// Blocks a dedicated thread (never one of Swift's pool) until fewer samples wait, or nothing will be read.
    func waitUntilBelow(_ limit: Int) {
        condition.withLock {
            while waiting >= limit, !isClosed { condition.wait() }
        }
    }
}
