import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio

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
