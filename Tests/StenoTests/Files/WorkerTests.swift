import Foundation
import Testing

@testable import Steno
@testable import StenoCore

@Suite(.timeLimit(.minutes(15))) struct WorkerTests {
    private struct Failure: Error {}

    @Test func workRunsOnANamedThreadWithRoom() async throws {
        let (name, size) = try await Worker.run("steno.test") { _ in
            (Thread.current.name, Thread.current.stackSize)
        }
        #expect(name == "steno.test")
        #expect(size >= Worker.stackSize)
    }

    /// Far below the eight megabytes asked for, and far above the half megabyte that is usual for a thread elsewhere.
    @Test func fourMegabytesOfStackAreThere() async throws {
        let depth = try await Worker.run("steno.test") { _ in Self.descend(levels: 4096) }
        #expect(depth == 4096)
    }

    @inline(never) private static func descend(levels: Int) -> Int {
        guard levels > 0 else { return 0 }
        // A kilobyte is the most that is taken from the stack and not from the heap.
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

    @Test func theEnginesCodeForCancelledWorkBecomesSwiftsError() async {
        await #expect(throws: CancellationError.self) {
            let _: Int = try await Worker.run("steno.test") { _ in throw StenoError(.cancelled, "") }
        }
    }

    /// More blocked calls than the cooperative pool has threads, and Swift's tasks go on.
    @Test func theCooperativePoolIsNeverBlocked() async throws {
        let gates = (0..<64).map { _ in DispatchSemaphore(value: 0) }
        async let all: Void = withThrowingTaskGroup(of: Void.self) { group in
            for gate in gates { group.addTask { try await Worker.run("steno.test") { _ in gate.wait() } } }
            try await group.waitForAll()
        }
        for _ in 0..<100 { await Task.yield() }
        for gate in gates { gate.signal() }
        try await all
    }
}
