import StenoCore

/// Lets a number of calls run at the same time; others wait for their turn, in order, and can be cancelled meanwhile.
final class CallLimit: Sendable {
    /// The number of further calls that may run now.
    private let free: Monitor<Int>

    /// - Parameter limit: The number of calls, 1 or more; nil sets no limit.
    init(_ limit: Int?) { free = Monitor(limit.map { max(1, $0) } ?? .max) }

    var waitingCount: Int { free.waitingCount }

    /// Waits for a turn, which ``release()`` ends.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before its turn.
    func acquire() async throws {
        try await free.wait { free -> Void? in
            guard free > 0 else { return nil }
            free -= 1
            return ()
        }
    }

    /// Ends a turn; the call that has waited longest is next.
    func release() { free.update { $0 += 1 } }
}
