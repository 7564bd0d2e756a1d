import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio
@testable import StenoCore

@Suite(.timeLimit(.minutes(60))) struct WorkerTests {
    private struct Failure: Error {}

    @Test func workRunsOnANamedThreadWithRoom() async throws {
        let (name, size) = try await Worker.run("steno.test") { _ in
            (ThreadName.current, Thread.current.stackSize)
        }
        #expect(name == "steno.test")
        #expect(size >= Worker.stackSize)
        // Far below the eight megabytes asked for, and far above the half megabyte that is usual for a thread elsewhere.
        let depth = try await Worker.run("steno.test") { _ in Self.descend(levels: 4096) }
        #expect(depth == 4096)
    }

    @inline(never) private static func descend(levels: Int) -> Int {
        guard levels > 0 else { return 0 }
        // More than a kilobyte would come from the heap.
        return withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { page in
            page[levels % 1024] = 1
            return descend(levels: levels - 1) + Int(page[levels % 1024])
        }
    }

    @Test func resultsAndErrorsComeBack() async throws {
        #expect(try await Worker.run("steno.test") { _ in 7 } == 7)
        await #expect(throws: Failure.self) {
            let _: Int = try await Worker.run("steno.test") { _ in throw Failure() }
        }
        await #expect(throws: CancellationError.self) {
            let _: Int = try await Worker.run("steno.test") { _ in throw StenoError(.cancelled, "") }
        }
    }

    @Test func cancellingTheTaskRaisesTheFlagAndThrowsSwiftsError() async throws {
        let (started, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await Worker.run("steno.test") { flag in
                continuation.yield()
                while !flag.isCancelled { sched_yield() }
                throw Failure()
            }
        }
        for await _ in started { break }
        await expectCancellation(of: task)
    }

    @Test func aTaskThatIsCancelledAlreadyDoesNoWork() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await Worker.run("steno.test") { _ in _ = Issue.record("the work was started") }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// More blocked calls than the cooperative pool has threads, each waiting for a task of that pool: on its threads,
    /// they would never be woken.
    @Test func theCooperativePoolIsNeverBlocked() async throws {
        let gates = (0..<64).map { _ in DispatchSemaphore(value: 0) }
        let (started, continuation) = AsyncStream.makeStream(of: Int.self)
        let woken = try await withThrowingTaskGroup(of: Int.self) { group in
            for (number, gate) in gates.enumerated() {
                group.addTask {
                    try await Worker.run("steno.test") { _ in
                        continuation.yield(number)
                        gate.wait()
                        return number
                    }
                }
            }
            // All wait before the first one is woken.
            var waiting: Set<Int> = []
            for await number in started where waiting.insert(number).inserted && waiting.count == gates.count { break }
            #expect(waiting.count == gates.count)
            for gate in gates { gate.signal() }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(woken == Set(gates.indices))
    }
}

@Suite(.timeLimit(.minutes(60))) struct WorkerThreadsTests {
    /// Runs jobs that all wait for each other, so that each needs a thread, and returns when they have ended.
    private func runTogether(_ count: Int, on threads: WorkerThreads) async {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        for _ in 0..<count {
            threads.start("steno.test") {
                begin.yield()
                gate.wait()
            }
        }
        var iterator = begun.makeAsyncIterator()
        for _ in 0..<count { await iterator.next() }
        for _ in 0..<count { gate.signal() }
    }

    private func idle(_ count: Int, of threads: WorkerThreads) async throws -> Int {
        try await onThread { threads.wait(untilIdle: count).started }
    }

    @Test func anIdleThreadTakesTheNextJob() async throws {
        let threads = WorkerThreads(stackSize: 1 << 20, idleLimit: 2, idleTime: 3_600)
        for _ in 0..<5 {
            await runTogether(1, on: threads)
            #expect(try await idle(1, of: threads) == 1)
        }
        await runTogether(2, on: threads)
        #expect(try await idle(2, of: threads) == 2)
    }

    @Test func waitingJobsGetAThreadEach() async throws {
        let threads = WorkerThreads(stackSize: 1 << 20, idleLimit: 3, idleTime: 3_600)
        await runTogether(40, on: threads)
        // All but three have ended.
        #expect(try await idle(3, of: threads) == 40)
        await runTogether(5, on: threads)
        #expect(try await idle(3, of: threads) == 42)
    }

    @Test func anIdleThreadEndsByItself() async throws {
        let threads = WorkerThreads(stackSize: 1 << 20, idleLimit: 4, idleTime: 0)
        await runTogether(4, on: threads)
        #expect(try await idle(0, of: threads) == 4)
    }
}
