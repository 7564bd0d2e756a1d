import Foundation
import StenoCore

/// Waits while a condition holds that another task will change.
///
/// Every caller has a time limit, which is thrown here: a condition that never changes fails its test instead of hanging CI.
package func waitWhile(
    _ holds: @autoclosure () async throws -> Bool, isolation: isolated (any Actor)? = #isolation
) async throws {
    while try await holds() {
        try Task.checkCancellation()
        await Task.yield()
    }
}

/// A gate that tasks wait at without blocking a thread.
package final class AsyncGate: Sendable {
    private let isOpen = Monitor(false)

    package init() {}

    /// Lets every task pass, now and later.
    package func open() { isOpen.update { $0 = true } }

    package func wait() async { await isOpen.value { isOpen -> Void? in isOpen ? () : nil } }
}

/// Values from any thread, in the order they came.
package final class Recorder<Value: Sendable>: Sendable {
    private let values = Monitor<[Value]>([])

    package init() {}

    package var all: [Value] { values.read { $0 } }
    package func add(_ value: Value) { values.update { $0.append(value) } }
    package func removeAll() { values.update { $0 = [] } }
}

/// Runs a task and checks, each time it is woken, whether another thread can take a lock.
@available(macOS 15, iOS 18, *) package final class WakingWatch: TaskExecutor, @unchecked Sendable {
    // Sendable: nothing stored changes, but not every platform declares queues Sendable.
    /// The results in order; the first is from the start of the task.
    package let wasFree = Recorder<Bool>()
    private let takeLock: @Sendable () -> Void
    private let queue = DispatchQueue(label: "steno.test.waking")

    package init(_ takeLock: @escaping @Sendable () -> Void) { self.takeLock = takeLock }

    package func enqueue(_ job: consuming ExecutorJob) {
        let taken = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [takeLock] in
            takeLock()
            taken.signal()
        }
        // The timeout only turns a deadlock into a failure.
        wasFree.add(taken.wait(timeout: .now() + 60) == .success)
        let waking = UnownedJob(job)
        queue.async { [self] in waking.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Waits until all tasks woken so far have run as far as they can.
    package func settle() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}

/// Counts checks for cancellation, and cancels from a given check on.
package final class Questions {
    package private(set) var count = 0
    private let first: Int

    package init(yesFrom first: Int = .max) { self.first = first }

    package func ask() -> Bool {
        count += 1
        return count >= first
    }
}
