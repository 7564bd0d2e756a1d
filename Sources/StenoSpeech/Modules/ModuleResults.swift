import Foundation

/// The results of a module, in order; the sequence ends when the session is finished.
///
/// Results wait until they are read, however early they come and however late the reader does. Loops in several tasks
/// share them: a result goes to the loop that asks first. When the session fails, the sequence throws its error after
/// the results that came before.
public struct ModuleResults<Element: Sendable>: AsyncSequence, Sendable {
    /// Iterates over the results.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let channel: ResultChannel<Element>

        /// The next result, or nil at the end.
        ///
        /// - Throws: ``SFSpeechError`` that ended the session; `CancellationError` when the reading task is cancelled.
        public mutating func next() async throws -> Element? { try await channel.next() }
    }

    let channel: ResultChannel<Element>

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(channel: channel) }
}

/// The unread results of a module, and the readers that wait for the next.
final class ResultChannel<Element: Sendable>: Sendable {
    typealias Waiter = CheckedContinuation<Element?, any Error>

    private struct State: Sendable {
        var unread: [Element] = []
        /// The number of the elements of `unread` that were read: removing them one by one would move the rest.
        var read = 0
        var ending: Result<Void, any Error>?
        var waiting: [(id: Int, waiter: Waiter)] = []
        var nextID = 0

        mutating func popFirst() -> Element? {
            guard read < unread.count else { return nil }
            defer {
                read += 1
                if read == unread.count { (unread, read) = ([], 0) }
            }
            return unread[read]
        }
    }

    private let state = Locked(State())

    deinit { finish() }

    /// The number of results that nobody has read.
    var unreadCount: Int { state.withLock { $0.unread.count - $0.read } }

    /// Adds a result; after the end it is ignored.
    func yield(_ result: Element) {
        let waiter: Waiter? = state.withLock { state in
            guard state.ending == nil else { return nil }
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().waiter }
            state.unread.append(result)
            return nil
        }
        waiter?.resume(returning: result)
    }

    /// Ends the sequence after the results so far; the first end counts.
    func finish(throwing error: (any Error)? = nil) {
        let waiters: [Waiter] = state.withLock { state in
            guard state.ending == nil else { return [] }
            // A reader that waits gets the error; so does the next one that comes.
            state.ending = error.map { .failure($0) } ?? .success(())
            defer { state.waiting = [] }
            return state.waiting.map(\.waiter)
        }
        for waiter in waiters { waiter.resume(with: error.map { .failure($0) } ?? .success(nil)) }
    }

    func next() async throws -> Element? {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let now: Result<Element?, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if let result = state.popFirst() { return .success(result) }
                    if let ending = state.ending { return ending.map { nil } }
                    state.waiting.append((id, waiter))
                    return nil
                }
                if let now { waiter.resume(with: now) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).waiter }
            }
            waiter?.resume(throwing: CancellationError())
        }
    }
}
