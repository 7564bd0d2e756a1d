import Dispatch
import StenoTestSupport
import Testing

@testable import StenoCore

/// Waiting for a state, with waits, changes and cancellations in every order.
@Suite(.timeLimit(.minutes(60))) struct MonitorTests {
    private let monitor = Monitor(0)

    private func take(from monitor: Monitor<Int>) async throws -> Int {
        try await monitor.wait { count -> Int? in
            guard count > 0 else { return nil }
            count -= 1
            return count
        }
    }

    @Test func waitersAreServedInOrder() async throws {
        let order = Monitor<[Int]>([])
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<4 {
            tasks.append(
                Task {
                    _ = try await take(from: monitor)
                    order.update { $0.append(number) }
                })
            try await waitWhile(monitor.waitingCount <= number)
        }
        for number in 0..<4 {
            // One change at a time, since woken tasks run in no particular order.
            monitor.update { $0 += 1 }
            try await waitWhile(order.read { $0.count } <= number)
        }
        for task in tasks { try await task.value }
        #expect(order.read { $0 } == [0, 1, 2, 3])
    }

    @Test func aChangeWakesOnlyTheServed() async throws {
        let late = Task { try await monitor.wait { $0 >= 2 ? "late" : nil } }
        try await waitWhile(monitor.waitingCount == 0)
        let early = Task { try await monitor.wait { $0 >= 1 ? "early" : nil } }
        try await waitWhile(monitor.waitingCount < 2)
        monitor.update { $0 = 1 }
        #expect(try await early.value == "early")
        #expect(monitor.waitingCount == 1)
        monitor.update { $0 = 2 }
        #expect(try await late.value == "late")
    }

    /// A writer that came earlier waits for the room that the reader makes.
    @Test func servingOneWaiterMayServeAnEarlierOne() async throws {
        let monitor = Monitor<(full: Bool, open: Bool)>((true, false))
        let writer = Task { try await monitor.wait { $0.full ? nil : "room" } }
        try await waitWhile(monitor.waitingCount == 0)
        let reader = Task {
            try await monitor.wait { state -> String? in
                guard state.open, state.full else { return nil }
                state.full = false
                return "read"
            }
        }
        try await waitWhile(monitor.waitingCount < 2)
        monitor.update { $0.open = true }
        #expect(try await writer.value == "room")
        #expect(try await reader.value == "read")
    }

    @Test func availableThingsAreTakenAtOnceButNotByACancelledTask() async throws {
        let monitor = Monitor(2)
        #expect(try await take(from: monitor) == 1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await take(from: monitor)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(monitor.read { $0 } == 1 && monitor.waitingCount == 0)
    }

    @Test func cancellationWhileWaitingGivesTheTurnToTheNext() async throws {
        let cancelled = Task { try await take(from: monitor) }
        try await waitWhile(monitor.waitingCount == 0)
        let next = Task { try await take(from: monitor) }
        try await waitWhile(monitor.waitingCount < 2)
        await expectCancellation(of: cancelled)
        #expect(monitor.waitingCount == 1)
        monitor.update { $0 += 1 }
        #expect(try await next.value == 0)
    }

    /// A cancellation before the task runs again does not lose the thing taken.
    @Test func cancellationAfterBeingServedLosesNothing() async throws {
        let task = Task { try await take(from: monitor) }
        try await waitWhile(monitor.waitingCount == 0)
        let wakings = monitor.deferredUpdate { $0 += 1 }
        task.cancel()
        for wake in wakings { wake() }
        #expect(try await task.value == 0)
        #expect(monitor.read { $0 } == 0)
    }

    /// Each thing is taken once or still there, whatever the threads' order.
    @Test func simultaneousCancellationAndChangeLoseNothing() async throws {
        for _ in 0..<500 {
            let monitor = Monitor(0)
            let task = Task { try await take(from: monitor) }
            async let change: Void = monitor.update { $0 += 1 }
            async let cancellation: Void = task.cancel()
            _ = await (change, cancellation)
            let result = await task.result
            let isTaken = (try? result.get()) != nil
            #expect(monitor.read { $0 } == (isTaken ? 0 : 1))
            #expect(monitor.waitingCount == 0)
        }
    }

    @Test func uncancellableWaitsIgnoreCancellation() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await monitor.value { $0 > 0 ? $0 : nil }
        }
        try await waitWhile(monitor.waitingCount == 0)
        task.cancel()
        #expect(monitor.waitingCount == 1)
        monitor.update { $0 = 3 }
        #expect(await task.value == 3)
    }

    /// A second change before the task runs wakes nobody.
    @Test func aTaskIsWokenOnlyOnce() async throws {
        let task = Task { try await monitor.wait { $0 > 0 ? $0 : nil } }
        try await waitWhile(monitor.waitingCount == 0)
        let first = monitor.deferredUpdate { $0 = 1 }
        let second = monitor.deferredUpdate { $0 = 2 }
        #expect(first.count == 1 && second.isEmpty)
        for wake in first + second { wake() }
        #expect(try await task.value == 1)
    }

    /// A woken task may use the monitor at once, and so may the caller of a deferred change.
    @Test func nobodyIsWokenUnderTheLock() async throws {
        let task = Task { try await take(from: monitor) }
        try await waitWhile(monitor.waitingCount == 0)
        for wake in monitor.deferredUpdate({ $0 += 2 }) {
            #expect(monitor.read { $0 } == 1)
            wake()
        }
        #expect(try await task.value == 1)
    }

    /// The same where the monitor does the waking itself.
    @available(macOS 15, iOS 18, *)
    @Test func changesAndCancellationsWakeOutsideTheLock() async throws {
        let watch = WakingWatch { monitor.read { _ in } }
        let served = Task(executorPreference: watch) { try await take(from: monitor) }
        await watch.settle()
        monitor.update { $0 = 1 }
        #expect(try await served.value == 0)
        let cancelled = Task(executorPreference: watch) { try await take(from: monitor) }
        await watch.settle()
        await expectCancellation(of: cancelled)
        #expect(watch.wasFree.all.count >= 4 && watch.wasFree.all.allSatisfy { $0 })
    }

    private struct Refusal: Error {}

    /// Enters like a queue that counts its waiters.
    private func join(_ monitor: Monitor<Int>, limit: Int) async throws {
        try await monitor.wait(
            entering: { count in
                guard count < limit else { throw Refusal() }
                count += 1
            },
            until: { $0 >= 10 ? () : nil },
            leaving: { $0 -= 1 })
    }

    @Test func leavingUndoesEnteringOnce() async throws {
        let full = Monitor(2)
        await #expect(throws: Refusal.self) { try await join(full, limit: 2) }
        #expect(full.waitingCount == 0 && full.read { $0 } == 2)
        let never = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await join(monitor, limit: 2)
        }
        await #expect(throws: CancellationError.self) { try await never.value }
        #expect(monitor.read { $0 } == 0)
        let leaving = Task { try await join(monitor, limit: 2) }
        let staying = Task { try await join(monitor, limit: 2) }
        try await waitWhile(monitor.waitingCount < 2)
        await expectCancellation(of: leaving)
        #expect(monitor.read { $0 } == 1)
        monitor.update { $0 = 10 }
        try await staying.value
        staying.cancel()
        #expect(monitor.read { $0 } == 10)
    }

    /// A change's effects before it throws remain.
    @Test func aThrowingChangeWakesWaiters() async throws {
        let task = Task { try await take(from: monitor) }
        try await waitWhile(monitor.waitingCount == 0)
        #expect(throws: Refusal.self) {
            try monitor.update { count in
                count += 1
                throw Refusal()
            }
        }
        #expect(try await task.value == 0)
    }

    @Test func threadsAreWokenLikeTasks() async {
        let (monitor, result, looked) = (Monitor(0), Monitor(0), AsyncGate())
        DispatchQueue(label: "steno.test.monitor").async {
            let value = monitor.block { count -> Int? in
                looked.open()
                return count > 0 ? count : nil
            }
            result.update { $0 = value }
        }
        // The lock is free again only when the thread waits.
        await looked.wait()
        monitor.update { $0 = 3 }
        let value = await result.value { $0 > 0 ? $0 : nil }
        #expect(value == 3)
    }

    /// Waiters are not stranded when the owner lets go, and a cancelled wait leaves no cycle.
    @Test func waitersKeepTheMonitorAlive() async throws {
        weak var released: Monitor<Int>?
        let task: Task<Int, any Error>
        do {
            let monitor = Monitor(0)
            released = monitor
            task = Task { try await take(from: monitor) }
            try await waitWhile(monitor.waitingCount == 0)
        }
        #expect(released != nil)
        await expectCancellation(of: task)
        try await waitWhile(released != nil)
    }
}
