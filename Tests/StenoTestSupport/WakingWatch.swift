import Foundation

/// Runs a task, and looks each time that it is woken whether another thread can take a lock.
@available(macOS 15, iOS 18, *)
package final class WakingWatch: TaskExecutor, @unchecked Sendable {
    // Sendable: nothing stored changes; not every platform says so of a queue.
    /// What was found, in order; the start of the task is the first.
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
        // The time only turns a wedge into a failure.
        wasFree.add(taken.wait(timeout: .now() + 60) == .success)
        let waking = UnownedJob(job)
        queue.async { [self] in waking.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Waits until all tasks that were woken so far have run as far as they can.
    package func settle() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}
