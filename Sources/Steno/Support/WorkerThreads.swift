import Foundation
import StenoCore

/// Threads for blocking work: one for each piece of work that is running, and a few idle ones kept for the next.
///
/// The number of running ones has no limit, because work may wait for other work; an idle thread ends after a while.
///
/// `@unchecked Sendable`: the stored values that change are accessed only while `condition` is held.
final class WorkerThreads: @unchecked Sendable {
    private let stackSize: Int
    private let idleLimit: Int
    private let idleTime: TimeInterval

    private let condition = NSCondition()
    /// Work for idle threads, at most one piece for each.
    private var jobs: [() -> Void] = []
    private var idleThreads = 0
    private var threads = 0
    private var started = 0

    /// - Parameters:
    ///   - stackSize: The stack of each thread, in bytes.
    ///   - idleLimit: The number of idle threads that are kept.
    ///   - idleTime: How long each is kept, in seconds.
    init(stackSize: Int, idleLimit: Int, idleTime: TimeInterval) {
        self.stackSize = stackSize
        self.idleLimit = idleLimit
        self.idleTime = idleTime
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
    /// - Returns: the number of threads, and how many were started since the beginning.
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

    /// The next job for this thread; nil when it is to end.
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

    /// Apple's frameworks leave objects to the pool of the thread, which must not wait for the end of a thread that stays.
    private static func draining(_ job: () -> Void) {
        #if canImport(ObjectiveC)
            autoreleasepool { job() }
        #else
            job()
        #endif
    }
}
