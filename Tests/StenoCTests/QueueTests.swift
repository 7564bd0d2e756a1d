import Foundation
import StenoTestSupport
import Testing

@testable import StenoC

/// The queue between a task and a reader's thread.
@Suite struct QueueTests {
    private struct Failure: Error {}

    private func reading(_ queue: EventQueue<Int>, seconds: Double = 0) throws -> String {
        switch try queue.next(seconds) {
        case .element(let number): "\(number)"
        case .timedOut: "timed out"
        case .end: "end"
        }
    }

    @Test func elementsComeInOrderBeforeTheEnd() throws {
        let queue = EventQueue<Int>()
        #expect(try reading(queue) == "timed out")
        queue.put(1)
        queue.put(2)
        queue.end(.success(()))
        let all = [try reading(queue), try reading(queue), try reading(queue), try reading(queue)]
        #expect(all == ["1", "2", "end", "end"])
    }

    @Test func anErrorComesAfterTheElements() throws {
        let queue = EventQueue<Int>()
        queue.put(1)
        queue.end(.failure(Failure()))
        queue.end(.success(()))
        #expect(try reading(queue) == "1")
        #expect(throws: Failure.self) { _ = try queue.next(0) }
    }

    @Test func cancellingDropsWhatIsWaiting() throws {
        let queue = EventQueue<Int>()
        queue.put(1)
        queue.cancel()
        #expect(throws: CancellationError.self) { _ = try queue.next(-1) }
    }

    @Test func aWaitingThreadIsWoken() throws {
        let queue = EventQueue<Int>()
        Thread.detachNewThread { queue.put(7) }
        #expect(try reading(queue, seconds: -1) == "7")
    }
}
