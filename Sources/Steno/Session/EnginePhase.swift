import Foundation

/// The lifecycle of an engine, for callers on any thread.
final class EnginePhase: @unchecked Sendable {
    // Sendable: all state is accessed under the lock.
    private enum Phase {
        case idle
        case running
        case ended(Result<Void, any Error>)
    }

    private let lock = NSLock()
    private var phase = Phase.idle
    private var waiters: [CheckedContinuation<Void, any Error>] = []

    var hasStarted: Bool { lock.withLock { if case .idle = phase { false } else { true } } }

    /// Goes from idle to running.
    func start() throws {
        try lock.withLock {
            guard case .idle = phase else {
                throw StenoError(
                    .invalidOption, "The engine was started before. An engine transcribes one stream: make a new one.")
            }
            phase = .running
        }
    }

    /// Throws when audio cannot be taken.
    func checkRunning() throws {
        try lock.withLock {
            switch phase {
            case .running: break
            case .idle: throw StenoError(.invalidOption, "The engine has not been started: call start() first.")
            case .ended(.failure(let error)): throw error
            case .ended(.success):
                throw StenoError(.invalidOption, "The engine has finished. Make a new one for another stream.")
            }
        }
    }

    /// Waits for the end.
    func end() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let result: Result<Void, any Error>? = lock.withLock {
                if case .ended(let result) = phase { return result }
                waiters.append(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// Ends, and resumes those who wait.
    func finish(_ result: Result<Void, any Error>) {
        let waiting = lock.withLock {
            phase = .ended(result)
            defer { waiters = [] }
            return waiters
        }
        for waiter in waiting { waiter.resume(with: result) }
    }
}
