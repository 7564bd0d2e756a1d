import Foundation

/// A clock that stands still until a test moves it.
///
/// Sendable: mutable state is accessed only under the lock.
final class GatedClock: Clock, @unchecked Sendable {
    typealias Duration = Swift.Duration

    struct Instant: InstantProtocol {
        var offset: Swift.Duration

        func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    /// The moments somebody sleeps until, as they begin to.
    let sleeps: AsyncStream<Duration>
    let minimumResolution = Duration.zero
    var now: Instant { lock.withLock { moment } }

    private let lock = NSLock()
    private var moment = Instant(offset: .seconds(1_000))
    private var sleeper: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)?
    private let begun: AsyncStream<Duration>.Continuation
    private let start: Instant

    init() {
        start = Instant(offset: .seconds(1_000))
        (sleeps, begun) = AsyncStream.makeStream()
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                lock.withLock { sleeper = (deadline, continuation) }
                begun.yield(start.duration(to: deadline))
                if Task.isCancelled { wake(throwing: CancellationError()) }
            }
        } onCancel: {
            wake(throwing: CancellationError())
        }
    }

    /// Moves to the moment the sleeper waits for.
    func advance() { wake(throwing: nil) }

    private func wake(throwing error: (any Error)?) {
        let sleeper = lock.withLock {
            defer { self.sleeper = nil }
            if error == nil, let deadline = self.sleeper?.deadline { moment = max(moment, deadline) }
            return self.sleeper
        }
        if let error { sleeper?.continuation.resume(throwing: error) } else { sleeper?.continuation.resume() }
    }
}
