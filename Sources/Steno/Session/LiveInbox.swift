import Foundation

/// The inbox of the session's thread: audio, available results, and the end.
final class LiveInbox: @unchecked Sendable {
    // Sendable: all state is accessed under the lock of the condition.

    /// The next item for the thread.
    enum Item: Sendable {
        case audio([Float])
        case discontinuity(AudioDiscontinuity)
        /// The result of a decoding is available.
        case result
        case finish
        case cancel
    }

    private let condition = NSCondition()
    private let limit: Int
    /// Audio and reports, in order.
    private var waiting: [Item] = []
    private var waitingSamples = 0
    private var hasResult = false
    private var isFinished = false
    private var isCancelled = false
    /// Callers that wait until there is room.
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// - Parameter limit: The number of waiting samples at which ``append(_:)`` waits for the thread; nil never waits.
    init(limit: Int?) { self.limit = limit ?? .max }

    /// Adds a chunk, and waits while there is no room for more.
    func append(_ samples: [Float]) async {
        guard put(samples) else { return }
        await withCheckedContinuation { continuation in
            condition.lock()
            let mustWait = waitingSamples > limit && !isCancelled
            if mustWait { waiters.append(continuation) }
            condition.unlock()
            if !mustWait { continuation.resume() }
        }
    }

    /// Adds a chunk; true when the caller should wait.
    private func put(_ samples: [Float]) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        waiting.append(.audio(samples))
        waitingSamples += samples.count
        condition.signal()
        return waitingSamples > limit
    }

    /// Adds a report, made when the audio before it has been processed.
    func report(_ discontinuity: AudioDiscontinuity) {
        condition.lock()
        waiting.append(.discontinuity(discontinuity))
        condition.signal()
        condition.unlock()
    }

    func postResult() { set { hasResult = true } }
    func finish() { set { isFinished = true } }
    func cancel() { set { isCancelled = true } }

    /// Whether the session was cancelled.
    var hasBeenCancelled: Bool {
        condition.lock()
        defer { condition.unlock() }
        return isCancelled
    }

    /// Waits for the next item: audio in order, before the end.
    func next() -> Item {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if isCancelled { return .cancel }
            if hasResult {
                hasResult = false
                return .result
            }
            if !waiting.isEmpty {
                let item = waiting.removeFirst()
                if case .audio(let chunk) = item { waitingSamples -= chunk.count }
                if waitingSamples <= limit { release() }
                return item
            }
            if isFinished { return .finish }
            condition.wait()
        }
    }

    private func set(_ change: () -> Void) {
        condition.lock()
        change()
        condition.broadcast()
        release()
        condition.unlock()
    }

    private func release() {
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
