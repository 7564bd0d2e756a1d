import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio
@testable import StenoCore

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
        await expectCancellation(of: call)
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

@Suite struct CancellationFlagTests {
    @Test func handlersRunWhenTheFlagIsRaised() {
        let (flag, woken) = (CancellationFlag(), Recorder<Int>())
        flag.whenCancelled { woken.add(1) }
        #expect(!flag.isCancelled && woken.all.isEmpty)
        flag.cancel()
        #expect(flag.isCancelled && woken.all == [1])
        // A late handler runs at once.
        flag.whenCancelled { woken.add(2) }
        #expect(woken.all == [1, 2])
    }

    /// A worker opens a million files under one flag.
    @Test func interruptionsOfFinishedWorkAreForgotten() throws {
        let flag = CancellationFlag()
        let kept = try (0..<3).map { _ in try Interruption() }
        kept.forEach(flag.interrupt)
        for _ in 0..<1000 { flag.interrupt(try Interruption()) }
        #expect(flag.interruptionCount < 100)
        flag.cancel()
        for interruption in kept {
            #expect(throws: StenoError.self) { try interruption.wait(milliseconds: 0) }
        }
    }
}

struct FIFOTests {
    /// Any order of calls, against an array.
    @Test(arguments: 0..<20) func itBehavesLikeAnArray(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var expected = Array(0..<Int.random(in: 0...5, using: &random))
        var queue = FIFO(expected)
        for number in 100..<400 {
            if Int.random(in: 0..<5, using: &random) < 3 {
                queue.append(number)
                expected.append(number)
            } else {
                #expect(queue.first == expected.first)
                let removed = queue.popFirst()
                #expect(removed == (expected.isEmpty ? nil : expected.removeFirst()))
            }
            #expect(queue.elements == expected)
            #expect(queue.count == expected.count && queue.isEmpty == expected.isEmpty)
        }
    }
}

@Suite struct ByteCountTests {
    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (9949, "9.9 kB"), (9950, "10 kB"),
        (999_499, "999 kB"), (999_500, "1.0 MB"), (76_396_677, "76 MB"), (999_499_999, "999 MB"),
        (999_500_000, "1.00 GB"), (1_527_906_378, "1.53 GB"), (3_000_000_000_000, "3.00 TB"),
    ])
    func aSizeIsWrittenAsPeopleReadIt(bytes: Int, text: String) {
        #expect(ByteCount(bytes).description == text)
    }
}
