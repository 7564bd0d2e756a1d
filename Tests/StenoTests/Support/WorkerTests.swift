import Foundation
import Testing

@testable import Steno
@testable import StenoCore

@Suite(.timeLimit(.minutes(60))) struct WorkerTests {
    private struct Failure: Error {}

    @Test func workRunsOnANamedThreadWithRoom() async throws {
        let (name, size) = try await Worker.run("steno.test") { _ in
            (ThreadName.current, Thread.current.stackSize)
        }
        #expect(name == "steno.test")
        #expect(size >= Worker.stackSize)
    }

    /// Far below the eight megabytes asked for, and far above the half megabyte that is usual for a thread elsewhere.
    @Test func fourMegabytesOfStackAreAvailable() async throws {
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
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aTaskThatIsCancelledAlreadyDoesNoWork() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await Worker.run("steno.test") { _ in _ = Issue.record("the work was started") }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func stenosCancellationBecomesSwiftsError() async {
        await #expect(throws: CancellationError.self) {
            let _: Int = try await Worker.run("steno.test") { _ in throw StenoError(.cancelled, "") }
        }
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
