import Foundation
import StenoCore

/// Threads for blocking work: one per running job, and a few idle ones kept for the next.
///
/// The number of running threads has no limit, because jobs may wait for other jobs; an idle thread ends after a while.
///
/// `@unchecked Sendable`: mutable state is accessed only while `condition` is held.
final class WorkerThreads: @unchecked Sendable {
    private let stackSize: Int
    private let idleLimit: Int
    private let idleTime: TimeInterval

    private let condition = NSCondition()
    /// Jobs for idle threads, at most one for each.
    private var jobs: [() -> Void] = []
    private var idleThreads = 0
    private var threads = 0
    private var started = 0

    /// The stack size is in bytes, and `idleTime`, for which up to `idleLimit` idle threads are kept, in seconds.
    init(stackSize: Int, idleLimit: Int, idleTime: TimeInterval) {
        (self.stackSize, self.idleLimit, self.idleTime) = (stackSize, idleLimit, idleTime)
    }

    /// Runs a job on an idle thread, or on a new one.
    func start(_ name: String, _ job: @escaping @Sendable () -> Void) {
        let named: @Sendable () -> Void = {
            ThreadName.set(name)
            Self.draining(job)
        }
        let isHandedOver = condition.withLock {
            guard idleThreads > jobs.count else {
                threads += 1
                started += 1
                return false
            }
            jobs.append(named)
            condition.broadcast()
            return true
        }
        if isHandedOver { return }
        let thread = Thread { self.run(named) }
        thread.stackSize = stackSize
        thread.start()
    }

    /// Blocks until this many threads are idle; for tests.
    ///
    /// - Returns: The number of threads, and how many were started in total.
    func wait(untilIdle count: Int) -> (threads: Int, started: Int) {
        condition.withLock {
            while idleThreads != count || threads != count { condition.wait() }
            return (threads, started)
        }
    }

    private func run(_ first: @Sendable () -> Void) {
        first()
        while let job = next() { job() }
    }

    /// The next job for this thread; nil if it should end.
    private func next() -> (() -> Void)? {
        condition.withLock {
            defer { condition.broadcast() }
            guard idleThreads < idleLimit else {
                threads -= 1
                return nil
            }
            ThreadName.set("steno.idle")
            idleThreads += 1
            condition.broadcast()
            let end = Date(timeIntervalSinceNow: idleTime)
            while jobs.isEmpty, condition.wait(until: end) {}
            idleThreads -= 1
            if jobs.isEmpty {
                threads -= 1
                return nil
            }
            return jobs.removeFirst()
        }
    }

    /// Apple's frameworks leave objects in the thread's autorelease pool, which must not last as long as an idle thread.
    private static func draining(_ job: () -> Void) {
        #if canImport(ObjectiveC)
            autoreleasepool { job() }
        #else
            job()
        #endif
    }
}
