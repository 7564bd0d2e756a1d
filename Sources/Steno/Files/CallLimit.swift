import Foundation

/// Lets a number of calls run at the same time; others wait for their turn, in order, and can be cancelled meanwhile.
///
/// `@unchecked Sendable`: the stored values that change are accessed under the lock.
final class CallLimit: @unchecked Sendable {
    private let lock = NSLock()
    /// The number of further calls that may run now; nil is any.
    private var free: Int?
    private var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    private var nextID = 0

    /// - Parameter limit: The number of calls, 1 or more; nil is any.
    init(_ limit: Int?) { free = limit.map { max(1, $0) } }

    /// The number of calls that wait.
    var waitingCount: Int { lock.withLock { waiting.count } }

    /// Waits for a turn, which ``release()`` ends.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before its turn.
    func acquire() async throws {
        try Task.checkCancellation()
        let id = lock.withLock {
            nextID += 1
            return nextID
        }
        let hasTurn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now: Bool? = lock.withLock {
                    if Task.isCancelled { return false }
                    guard let count = free else { return true }
                    if count > 0 {
                        free = count - 1
                        return true
                    }
                    waiting.append((id, continuation))
                    return nil
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            let waiter = lock.withLock {
                waiting.firstIndex { $0.id == id }.map { waiting.remove(at: $0).continuation }
            }
            waiter?.resume(returning: false)
        }
        if !hasTurn { throw CancellationError() }
    }

    /// Ends a turn; the call that waits longest gets it.
    func release() {
        let next: CheckedContinuation<Bool, Never>? = lock.withLock {
            guard let count = free else { return nil }
            if waiting.isEmpty {
                free = count + 1
                return nil
            }
            return waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}
