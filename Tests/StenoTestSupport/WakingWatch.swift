import Foundation

/// Runs a task and checks, each time it is woken, whether another thread can take a lock.
@available(macOS 15, iOS 18, *)
package final class WakingWatch: TaskExecutor, @unchecked Sendable {
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
