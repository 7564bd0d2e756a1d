package import Foundation

/// Wakes a task; must be called without holding a lock.
///
/// A cancellation handler may take our lock while the runtime holds another one that waking the task needs.
package typealias Waking = @Sendable () -> Void

/// Shared state that tasks and threads can wait on: a monitor in Hoare's sense, also for `async` code.
///
/// Each waiter passes the condition it waits for. After each change, the waiters examine the state in the order in
/// which they arrived, so that no two of them take the same value. Between changes there is nothing to take, so a new
/// waiter does not overtake anyone. A waiting task keeps its monitor alive.
package final class Monitor<State: Sendable>: @unchecked Sendable {
    // Sendable: mutable values are only accessed under the condition's lock.
    private struct Waiter {
        /// Identifies the waiter to its cancellation handler; nil if it has none.
        var id: Int?
        /// Examines the state; if the condition holds, returns what wakes the task.
        let look: (inout State) -> Waking?
        var leave: (inout State) -> Void = { _ in }
        var cancel: Waking = {}
    }

    private let condition = NSCondition()
    private var state: State
    private var waiters: [Waiter] = []
    private var nextID = 0

    package init(_ state: State) { self.state = state }

    package var waitingCount: Int { condition.withLock { waiters.count } }

    /// The whole state; setting it is a change like any other.
    package var current: State {
        get { condition.withLock { state } }
        set { update { $0 = newValue } }
    }

    package func read<Value>(_ body: (State) throws -> Value) rethrows -> Value {
        try condition.withLock { try body(state) }
    }

    /// Changes the state and wakes the waiters whose condition now holds.
    package func update<Value>(_ change: (inout State) throws -> Value) rethrows -> Value {
        condition.lock()
        defer { unlock() }
        return try change(&state)
    }

    /// Like ``update(_:)``, for callers that hold a lock: returns what they must call afterwards to wake the waiters.
    package func deferredUpdate(_ change: (inout State) -> Void) -> [Waking] {
        condition.withLock {
            change(&state)
            return settle()
        }
    }

    // MARK: Waiting

    /// Waits until `attempt` returns a value.
    ///
    /// - Parameter attempt: Examines the state and takes a value from it; nil changes nothing. It is called under the
    ///   lock, on the thread that changes the state, and must not use the monitor.
    /// - Throws: `CancellationError` if the task is cancelled before it gets a value; nothing has been taken then.
    package func wait<Value: Sendable>(
        until attempt: @escaping @Sendable (inout State) -> Value?
    ) async throws -> Value {
        try await wait(entering: { _ in }, until: attempt, leaving: { _ in })
    }

    /// Changes the state, and waits until `attempt` returns a value.
    ///
    /// - Parameters:
    ///   - entering: The first change; if it throws, there is no wait. A task that is already cancelled changes
    ///     nothing.
    ///   - attempt: As in ``wait(until:)``.
    ///   - leaving: Reverts the first change if the task is cancelled while it waits.
    package func wait<Value: Sendable>(
        entering: @Sendable (inout State) throws -> Void, until attempt: @escaping @Sendable (inout State) -> Value?,
        leaving: @escaping @Sendable (inout State) -> Void
    ) async throws -> Value {
        let id = newID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
                let waiter = Waiter(
                    id: id, look: Self.look(attempt) { continuation.resume(returning: $0) },
                    leave: leaving, cancel: { continuation.resume(throwing: CancellationError()) })
                do {
                    try enter(waiter, entering: entering)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            leave(id)
        }
    }

    /// Waits until `attempt` returns a value, even if the task is cancelled; only for waits that are certain to end.
    package func value<Value: Sendable>(until attempt: @escaping @Sendable (inout State) -> Value?) async -> Value {
        await withCheckedContinuation { (continuation: CheckedContinuation<Value, Never>) in
            join(Waiter(look: Self.look(attempt) { continuation.resume(returning: $0) }))
        }
    }

    /// Blocks a dedicated thread, never one from Swift's pool, until `attempt` returns a value or throws.
    @available(*, noasync, message: "It blocks the thread: use wait(until:).")
    package func block<Value>(until attempt: (inout State) throws -> Value?) rethrows -> Value {
        condition.lock()
        defer { unlock() }
        while true {
            if let value = try attempt(&state) { return value }
            condition.wait()
        }
    }

    /// Blocks a dedicated thread as ``block(until:)`` does, but only until a time; nil waits without limit.
    ///
    /// - Returns: What `attempt` returned; nil if the time has come.
    @available(*, noasync, message: "It blocks the thread: use wait(until:).")
    package func block<Value>(
        before limit: Date?, until attempt: (inout State) throws -> Value?
    ) rethrows -> Value? {
        condition.lock()
        defer { unlock() }
        while true {
            if let value = try attempt(&state) { return value }
            if let limit {
                guard condition.wait(until: limit) else { return try attempt(&state) }
            } else {
                condition.wait()
            }
        }
    }

    private func newID() -> Int {
        condition.withLock {
            nextID += 1
            return nextID
        }
    }

    private func enter(_ waiter: Waiter, entering: (inout State) throws -> Void) throws {
        condition.lock()
        defer { unlock() }
        // Checked under the lock: if the task is cancelled from now on, its handler finds it among the waiters.
        try Task.checkCancellation()
        try entering(&state)
        waiters.append(waiter)
    }

    private func join(_ waiter: Waiter) {
        condition.lock()
        defer { unlock() }
        waiters.append(waiter)
    }

    private func leave(_ id: Int) {
        condition.lock()
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return condition.unlock() }
        let waiter = waiters.remove(at: index)
        waiter.leave(&state)
        unlock()
        waiter.cancel()
    }

    private static func look<Value: Sendable>(
        _ attempt: @escaping (inout State) -> Value?, then resume: @escaping @Sendable (Value) -> Void
    ) -> (inout State) -> Waking? {
        { state in
            guard let value = attempt(&state) else { return nil }
            return { resume(value) }
        }
    }

    // MARK: Under the lock

    /// Releases the lock after a change, and then wakes the waiters whose condition holds.
    private func unlock() {
        let wakings = settle()
        condition.unlock()
        for wake in wakings { wake() }
    }

    /// Removes the waiters whose condition holds, and returns what wakes them.
    private func settle() -> [Waking] {
        condition.broadcast()
        var wakings: [Waking] = []
        var index = 0
        while index < waiters.count {
            guard let wake = waiters[index].look(&state) else {
                index += 1
                continue
            }
            wakings.append(wake)
            waiters.remove(at: index)
            // An earlier waiter may have been waiting for the value it took.
            index = 0
        }
        return wakings
    }
}

/// A value computed on first access, by whichever thread accesses it first.
///
/// Unchecked, because the compiler cannot see that `state` is only accessed while `lock` is held; `Value` itself is
/// `Sendable`, so returning it is safe.
package final class Lazy<Value: Sendable>: @unchecked Sendable {
    private enum State {
        case waiting(@Sendable () -> Value)
        case made(Value)
    }

    private let lock = NSLock()
    private var state: State

    package init(_ make: @escaping @Sendable () -> Value) { state = .waiting(make) }

    package var value: Value {
        lock.lock()
        defer { lock.unlock() }
        switch state {
        case .made(let value): return value
        case .waiting(let make):
            let value = make()
            state = .made(value)
            return value
        }
    }
}

extension Task where Failure == any Error {
    /// The value, awaited like a child task's: cancelling the waiting task cancels this one.
    package var childValue: Success {
        get async throws {
            try await withTaskCancellationHandler {
                try await value
            } onCancel: {
                cancel()
            }
        }
    }
}

extension Task where Failure == Never {
    /// The value, awaited like a child task's: cancelling the waiting task cancels this one.
    package var childValue: Success {
        get async {
            await withTaskCancellationHandler {
                await value
            } onCancel: {
                cancel()
            }
        }
    }
}
