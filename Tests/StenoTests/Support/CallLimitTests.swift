import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// How many calls run at the same time.
@Suite(.timeLimit(.minutes(60))) struct CallLimitTests {
    @Test func callsTakeTurnsInOrder() async throws {
        let limit = CallLimit(1)
        try await limit.acquire()
        let order = Shared<[Int]>([])
        var calls: [Task<Void, any Error>] = []
        for number in 0..<3 {
            calls.append(
                Task {
                    try await limit.acquire()
                    order.change { $0.append(number) }
                    limit.release()
                })
            try await waitWhile(limit.waitingCount <= number)
        }
        #expect(order.value.isEmpty)
        limit.release()
        for call in calls { try await call.value }
        #expect(order.value == [0, 1, 2])
    }

    @Test func aCallThatWaitsCanBeCancelled() async throws {
        let limit = CallLimit(1)
        try await limit.acquire()
        let call = Task { try await limit.acquire() }
        try await waitWhile(limit.waitingCount == 0)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        // Its turn is nobody's: the next call gets the one that ends.
        limit.release()
        try await limit.acquire()
    }

    /// The second recording is opened when the first is done.
    @Test func aTranscriberRunsNoMoreCallsThanItsLimit() async throws {
        let transcriber = Transcriber(model: SecondFamilyModel(), maximumConcurrentCalls: 1)
        let running = Shared(0), most = Shared(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    _ = try await transcriber.transcribe {
                        let now = running.change { count in
                            count += 1
                            return count
                        }
                        most.change { $0 = max($0, now) }
                        return Counted(running)
                    }
                }
            }
            try await group.waitForAll()
        }
        for try await _ in transcriber.events(from: { ArraySampleSource([]) }) {}
        #expect(most.value == 1)
    }

    /// Audio without samples, which counts itself.
    private final class Counted: SampleSource {
        private let running: Shared<Int>

        init(_ running: Shared<Int>) { self.running = running }

        func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
            running.change { $0 -= 1 }
            return 0
        }

        func rewind() -> Bool { false }
    }
}
