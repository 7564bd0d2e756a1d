import CStenoKernels
import Foundation
import Testing

@testable import StenoCompute

/// Counts how often each index was processed.
///
/// Each index has its own counter, so no two threads share one.
private final class Tally: @unchecked Sendable {
    // Sendable: the pool gives an index to one thread, and the caller reads only after the region has ended.
    let counts: UnsafeMutablePointer<Int32>
    let count: Int
    /// A pool that its own tasks call again, and the tally of those calls.
    var inner: (pool: OpaquePointer?, count: Int32)?
    let innerCounts: UnsafeMutablePointer<Int32>

    init(_ count: Int, inner: (pool: OpaquePointer?, count: Int32)? = nil) {
        self.count = count
        self.inner = inner
        counts = .allocate(capacity: count + 1)
        counts.initialize(repeating: 0, count: count + 1)
        innerCounts = .allocate(capacity: count + 1)
        innerCounts.initialize(repeating: 0, count: count + 1)
    }

    deinit {
        counts.deallocate()
        innerCounts.deallocate()
    }

    func run(_ pool: OpaquePointer?) {
        steno_pool_run(
            pool,
            { context, index in
                guard let context else { return }
                let tally = Unmanaged<Tally>.fromOpaque(context).takeUnretainedValue()
                tally.counts[Int(index)] += 1
                guard let inner = tally.inner else { return }
                let nested = Tally(Int(inner.count))
                nested.run(inner.pool)
                tally.innerCounts[Int(index)] += nested.isOnceEach ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque(), Int32(count))
    }

    var isOnceEach: Bool { (0..<count).allSatisfy { counts[$0] == 1 } && counts[count] == 0 }
    var isNestedOnceEach: Bool { (0..<count).allSatisfy { innerCounts[$0] == 1 } }
}

struct WorkerPoolTests {
    static let counts = [0, 1, 2, 3, 4, 5, 7, 8, 31, 64, 1000]

    @Test(arguments: [0, 1, 2, 3, 4, 8]) func everyIndexOnce(threads: Int) {
        let pool = steno_pool_create(Int32(threads))
        defer { steno_pool_destroy(pool) }
        #expect(steno_pool_threads(pool) == Int32(max(1, threads)))
        for round in 0..<50 {
            for count in Self.counts {
                let tally = Tally(count)
                tally.run(pool)
                #expect(tally.isOnceEach, "\(count) in round \(round)")
            }
        }
    }

    @Test func noPoolIsTheCallersThread() {
        #expect(steno_pool_threads(nil) == 1)
        for count in Self.counts {
            let tally = Tally(count)
            tally.run(nil)
            #expect(tally.isOnceEach)
        }
        steno_pool_destroy(nil)
        // A negative count does nothing.
        WorkerPool(threads: 2).run(-3) { _ in Issue.record("there is nothing to do") }
        steno_pool_run(nil, { _, _ in Issue.record("there is nothing to do") }, nil, -3)
    }

    @Test func closuresAreDistributedToo() {
        let pool = WorkerPool(threads: 3)
        for count in Self.counts {
            var tally = [Int](repeating: 0, count: count)
            tally.withUnsafeMutableBufferPointer { tally in
                // Every index is counted by one call at a time.
                nonisolated(unsafe) let counters = tally
                for _ in 0..<20 { pool.run(count) { counters[$0] += 1 } }
            }
            #expect(tally.allSatisfy { $0 == 20 })
        }
    }

    /// Two threads and two callers: once they have met, each computes on its own.
    @Test func concurrentCallersComputeOnTheirOwnThreads() {
        let pool = WorkerPool(threads: 2)
        // While the first region runs, the workers are taken.
        pool.run(2) { _ in pool.run(2) { _ in } }
        for _ in 0..<20 {
            var strangers = [false, false]
            let own = ObjectIdentifier(Thread.current)
            strangers.withUnsafeMutableBufferPointer { strangers in
                // Each call writes to an element of its own.
                nonisolated(unsafe) let strangers = strangers
                pool.run(2) { strangers[$0] = ObjectIdentifier(Thread.current) != own }
            }
            #expect(strangers == [false, false])
        }
    }

    /// Two tasks of a region that wait for each other, at most for a fixed number of yields.
    private final class Encounter: @unchecked Sendable {
        // Sendable: protected by the lock.
        private let lock = NSLock()
        private var threads: Set<ObjectIdentifier> = []

        var count: Int { lock.withLock { threads.count } }

        func arrive() {
            lock.withLock { _ = threads.insert(ObjectIdentifier(Thread.current)) }
            // Each yield lets the other thread run, so a fixed number is enough on a machine of any speed.
            var yields = 0
            while count < 2, yields < 1_000_000 {
                sched_yield()
                yields += 1
            }
        }
    }

    /// A region leaves the workers to the next one.
    @Test func everyRegionHasTheWorkers() {
        let pool = WorkerPool(threads: 2)
        for region in 0..<3 {
            let encounter = Encounter()
            pool.run(2) { _ in encounter.arrive() }
            #expect(encounter.count == 2, "region \(region) is computed by one thread")
        }
    }

    @Test func aTaskMayUseThePoolItself() {
        let pool = steno_pool_create(3)
        defer { steno_pool_destroy(pool) }
        for _ in 0..<50 {
            let tally = Tally(9, inner: (pool, 5))
            tally.run(pool)
            #expect(tally.isOnceEach)
            #expect(tally.isNestedOnceEach)
        }
    }

    @Test func severalThreadsMayCallAtOnce() {
        let pool = WorkerPool(threads: 3)
        let tallies = (0..<4).map { _ in (0..<300).map { Tally($0 % 13) } }
        DispatchQueue.concurrentPerform(iterations: 4) { caller in
            for tally in tallies[caller] { tally.run(pool.handle) }
        }
        #expect(tallies.joined().allSatisfy { $0.isOnceEach })
    }

    /// Threads that have just started, or are about to sleep, also end.
    @Test func poolsAreCreatedAndDestroyed() {
        for round in 0..<200 {
            let pool = steno_pool_create(4)
            for _ in 0..<(round % 3) {
                let tally = Tally(round % 7)
                tally.run(pool)
                #expect(tally.isOnceEach)
            }
            steno_pool_destroy(pool)
        }
    }

    #if os(Linux)
        /// A worker thread of the pool, identified by a region in which two tasks wait for each other.
        private final class Meeting: @unchecked Sendable {
            // Sendable: protected by the lock.
            private let lock = NSCondition()
            private(set) var threads: [String] = []

            /// The calling thread's folder, such as `/proc/42/task/43`.
            static var thisThread: String {
                "/proc/" + ((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? "")
            }

            func arrive() {
                lock.lock()
                threads.append(Self.thisThread)
                lock.broadcast()
                while threads.count < 2 { lock.wait() }
                lock.unlock()
            }
        }

        /// Whether the thread is sleeping, as opposed to running or runnable (proc(5)).
        private static func isAsleep(_ thread: String) throws -> Bool {
            let text = try String(contentsOfFile: thread + "/stat", encoding: .utf8)
            // The state follows the name, which is in brackets and may itself contain brackets.
            return try #require(text.split(separator: ")").last).dropFirst().first == "S"
        }

        /// An idle worker sleeps instead of spinning, wakes up again, and can be ended while asleep.
        @Test(.timeLimit(.minutes(60))) func idleThreadsSleep() throws {
            let pool = try #require(steno_pool_create(2))
            defer { steno_pool_destroy(pool) }
            let meeting = Meeting()
            steno_pool_run(
                pool,
                { context, _ in
                    guard let context else { return }
                    Unmanaged<Meeting>.fromOpaque(context).takeUnretainedValue().arrive()
                }, Unmanaged.passUnretained(meeting).toOpaque(), 2)
            let worker = try #require(meeting.threads.first { $0 != Meeting.thisThread })

            // A spinning worker is always runnable, even while others have the processors. Each query yields to it,
            // so a fixed number of queries is enough on a machine of any speed.
            let limit = 1_000_000
            let questions = try (0..<limit).first { _ in
                sched_yield()
                return try Self.isAsleep(worker)
            }
            #expect(questions != nil, "still running after \(limit) questions")
            for count in Self.counts {
                let tally = Tally(count)
                tally.run(pool)
                #expect(tally.isOnceEach)
            }
        }
    #endif
}
