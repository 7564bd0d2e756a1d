import Foundation

/// A number that only grows, and tasks that wait until it has reached a value.
final class Milestone: Sendable {
    private struct State: Sendable {
        var reached = -1
        var nextID = 0
        var waiting: [Int: (target: Int, continuation: CheckedContinuation<Void, Never>)] = [:]

        /// Removes those whose value is reached.
        mutating func release() -> [CheckedContinuation<Void, Never>] {
            let due = waiting.filter { $0.value.target <= reached }
            for id in due.keys { waiting[id] = nil }
            return due.values.map(\.continuation)
        }
    }

    private let state = Locked(State())

    /// How many tasks wait; a test has to see that they do before it continues.
    var waiters: Int { state.value.waiting.count }

    deinit { end() }

    /// The number has grown to `value`.
    func reach(_ value: Int) {
        let due = state.withLock { state in
            state.reached = max(state.reached, value)
            return state.release()
        }
        for continuation in due { continuation.resume() }
    }

    /// Nobody has to wait any more.
    func end() { reach(.max) }

    /// Returns when `target` is reached, or the waiting task is cancelled.
    func wait(for target: Int) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    let mustWait = state.reached < target && !Task.isCancelled
                    if mustWait { state.waiting[id] = (target, continuation) }
                    return mustWait
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.continuation.resume()
        }
    }
}
