/// Iterates over the elements that blocking work produces on its own thread.
///
/// The work starts with the iterator, or when it is its turn, and does not wait for the reader. Its flag is raised when
/// no iterator is left, or when the waiting task is cancelled; ``next()`` then throws `CancellationError`.
struct WorkerIterator<Element: Sendable>: AsyncIteratorProtocol {
    private var base: AsyncThrowingStream<Element, any Error>.AsyncIterator

    /// Starts the work; its error is thrown after the elements that came before.
    ///
    /// - Parameter limit: The limit on concurrent calls; nil does not wait.
    init(
        _ name: String, limit: CallLimit? = nil,
        _ work: @escaping @Sendable (CancellationFlag, @escaping @Sendable (Element) -> Void) throws -> Void
    ) {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Element.self, bufferingPolicy: .unbounded)
        let flag = CancellationFlag()
        continuation.onTermination = { _ in flag.cancel() }
        let start: @Sendable (@escaping @Sendable () -> Void) -> Void = { end in
            Worker.start(name, flag: flag) { flag in
                try MemoryUse.during { try work(flag) { continuation.yield($0) } }
            } completion: { result in
                end()
                switch result {
                case .success: continuation.finish()
                case .failure(let error): continuation.finish(throwing: error)
                }
            }
        }
        if let limit {
            let waiting = Task {
                do { try await limit.acquire() } catch { return continuation.finish(throwing: error) }
                start { limit.release() }
            }
            flag.whenCancelled { waiting.cancel() }
        } else {
            start {}
        }
        base = stream.makeAsyncIterator()
    }

    mutating func next() async throws -> Element? {
        if let element = try await base.next() { return element }
        // A cancelled stream just ends, which would make an unfinished result look complete.
        try Task.checkCancellation()
        return nil
    }
}
