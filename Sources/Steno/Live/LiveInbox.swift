import Foundation

/// What waits for the thread that hears: sound, the news that a result is there, and the end.
final class LiveInbox: @unchecked Sendable {
    // Sendable: everything is read and written under the condition's lock.

    /// What the thread does next.
    enum Item: Sendable {
        case audio([Float])
        case discontinuity(AudioDiscontinuity)
        /// A decoding's result is there.
        case result
        case finish
        case cancel
    }

    private let condition = NSCondition()
    private let limit: Int
    /// Sound and what is to be said about it, in order.
    private var waiting: [Item] = []
    private var waitingSamples = 0
    private var hasResult = false
    private var isFinished = false
    private var isCancelled = false
    /// Callers whose sound has to wait until there is room.
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// - Parameter limit: The samples from which on ``append(_:)`` waits for the thread; nil never waits.
    init(limit: Int?) { self.limit = limit ?? .max }

    /// Puts in a chunk, and waits while there is no room for more.
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

    /// Puts in a chunk; true when the caller should wait.
    private func put(_ samples: [Float]) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        waiting.append(.audio(samples))
        waitingSamples += samples.count
        condition.signal()
        return waitingSamples > limit
    }

    /// Puts in what is told when the audio before it has been heard.
    func report(_ discontinuity: AudioDiscontinuity) {
        condition.lock()
        waiting.append(.discontinuity(discontinuity))
        condition.signal()
        condition.unlock()
    }

    func postResult() { set { hasResult = true } }
    func finish() { set { isFinished = true } }
    func cancel() { set { isCancelled = true } }

    /// Whether the end has come that does not wait.
    var hasBeenCancelled: Bool {
        condition.lock()
        defer { condition.unlock() }
        return isCancelled
    }

    /// Waits for the next item: sound in its order, before the end.
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
