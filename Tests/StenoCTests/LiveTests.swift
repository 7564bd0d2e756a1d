import CSteno
import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoC

/// Live sessions through the functions of `steno.h`.
@Suite struct LiveTests {
    private static func start(_ model: Handle, options: String? = nil) throws -> Handle {
        var live: OpaquePointer?
        #expect(stenoLiveStart(model.pointer, 16_000, 1, options, &live) == STENO_OK)
        return try Handle(live, free: stenoLiveFree)
    }

    /// The events that are left, and the status after the last.
    private static func rest(_ live: Handle) throws -> (events: [TranscriptionEvent], status: Int32) {
        var line: UnsafePointer<CChar>?
        var events: [TranscriptionEvent] = []
        var status = stenoLiveNext(live.pointer, -1, &line)
        while status == STENO_OK, let text = line {
            events.append(try TranscriptionEvent(jsonLine: String(cString: text)))
            status = stenoLiveNext(live.pointer, -1, &line)
        }
        return (events, status)
    }

    @Test func pushedAudioBecomesEventsThatEnd() async throws {
        try await onThread {
            let live = try Self.start(try Handle.nano(), options: #"{"language": "en"}"#)
            let speech = try talk()
            for start in stride(from: 0, to: speech.count, by: 8_000) {
                let block = Array(speech[start..<min(start + 8_000, speech.count)])
                #expect(stenoLiveWait(live.pointer, block.count) == STENO_OK)
                #expect(stenoLivePush(live.pointer, block, block.count) == STENO_OK)
            }
            stenoLiveFinish(live.pointer)
            #expect(stenoLivePush(live.pointer, [0], 1) == STENO_ERROR_WRONG_STATE, "after the end")
            let (events, status) = try Self.rest(live)
            #expect(status == STENO_END && events.contains { $0.kind == .final })
            #expect(events.last?.state == .finished)
        }
    }

    @Test func aCancelledSessionGivesItsReaderAnError() async throws {
        try await onThread {
            let live = try Self.start(try Handle.nano())
            stenoLiveCancel(live.pointer)
            var line: UnsafePointer<CChar>?
            #expect(stenoLiveNext(live.pointer, -1, &line) == STENO_ERROR_CANCELLED)
            #expect(line == nil)
            #expect(stenoLiveWait(live.pointer, 8_000) == STENO_OK)
            #expect(stenoLivePush(live.pointer, [0], 1) == STENO_ERROR_WRONG_STATE)
            #expect(lastError.contains("has ended"))
        }
    }

    /// Whatever a confused host passes, its session continues.
    @Test func impossibleCountsAreErrors() async throws {
        try await onThread {
            let live = try Self.start(try Handle.nano())
            for frames in [Int.max, -1, .min, 1 << 61] {
                #expect(stenoLivePush(live.pointer, [0], frames) == STENO_ERROR_INVALID_OPTION)
                #expect(stenoLiveWait(live.pointer, frames) == STENO_ERROR_INVALID_OPTION)
            }
            #expect(stenoLivePush(live.pointer, [Float](repeating: 0, count: 8_000), 8_000) == STENO_OK)
            stenoLiveFinish(live.pointer)
            let kinds = try Self.rest(live).events.map(\.kind)
            #expect(kinds.contains(.level) && !kinds.contains(.discontinuity))
        }
    }

    private static func events(_ handle: LiveHandle, seconds: Double) throws -> [TranscriptionEvent] {
        var events: [TranscriptionEvent] = []
        while case (STENO_OK, let line?) = try handle.next(seconds) {
            events.append(try TranscriptionEvent(jsonLine: String(cString: line)))
        }
        return events
    }

    /// A host that waits for room loses nothing, however much it pushes before it reads an event.
    @Test func audioThatWaitsIsNotLost() async throws {
        let transcriber = try await Transcriber.load(.folder(Fixtures.nano))
        let input = try AudioInput(sampleRate: 16_000, bufferDuration: 0.5, bufferLimit: 1)
        let (session, events) = try await transcriber.live(.input(input), options: LiveOptions(), buffering: .unbounded)
        let handle = LiveHandle(input, session, events)
        try await onThread {
            for _ in 0..<120 {
                try handle.waitForRoom(8_000)
                #expect(input.push([Float](repeating: 0, count: 8_000)))
            }
            input.finish()
            let heard = try Self.events(handle, seconds: -1)
            #expect(heard.last?.position == 60 && !heard.contains { $0.kind == .discontinuity })
        }
    }

    /// Events stay in the session's buffer, whose limit holds, until the host asks for them.
    @Test func aHostThatDoesNotReadGetsNoMoreThanTheBufferHolds() async throws {
        let transcriber = try await Transcriber.load(.folder(Fixtures.nano))
        let input = try AudioInput(sampleRate: 16_000, bufferDuration: 30)
        let (session, events) = try await transcriber.live(
            .input(input), options: LiveOptions(), buffering: .bounded(32))
        let handle = LiveHandle(input, session, events)
        #expect(input.push([Float](repeating: 0, count: 16_000 * 20)))
        input.finish()
        try await session.wait()
        try await onThread {
            let kinds = try Self.events(handle, seconds: 0).map(\.kind)
            #expect(kinds.count <= 33 && kinds.last == .state)
            #expect(try handle.next(-1).status == STENO_END)
        }
    }

    @Test func aReaderThatWaitsIsWokenByCancelling() async throws {
        try await onThread {
            let live = try Self.start(try Handle.nano())
            var line: UnsafePointer<CChar>?
            while stenoLiveNext(live.pointer, 0, &line) == STENO_OK {}
            let pointer = UInt(bitPattern: live.pointer)
            Thread.detachNewThread { stenoLiveCancel(OpaquePointer(bitPattern: pointer)) }
            #expect(stenoLiveNext(live.pointer, -1, &line) == STENO_ERROR_CANCELLED)
        }
    }

    @Test func optionsAreChecked() async throws {
        try await withModel { model in
            var live: OpaquePointer?
            #expect(stenoLiveStart(model.pointer, 16_000, 1, #"{"speed": 1}"#, &live) == STENO_ERROR_INVALID_OPTION)
            #expect(lastError.contains("There is no option “speed”."))
            #expect(stenoLiveStart(model.pointer, 1, 1, nil, &live) == STENO_ERROR_INVALID_OPTION)
            #expect(live == nil)
        }
    }
}

/// The queue between a task and a reader's thread.
@Suite struct QueueTests {
    private struct Failure: Error {}
    private let queue = EventQueue<Int>()

    private func reading(_ queue: EventQueue<Int>, seconds: Double = 0) throws -> String {
        switch try queue.next(seconds) {
        case .element(let number): "\(number)"
        case .timedOut: "timed out"
        case .end: "end"
        }
    }

    @Test func elementsComeInOrderBeforeTheEnd() throws {
        #expect(try reading(queue) == "timed out")
        queue.put(1)
        queue.put(2)
        queue.end(.success(()))
        let all = [try reading(queue), try reading(queue), try reading(queue), try reading(queue)]
        #expect(all == ["1", "2", "end", "end"])
    }

    @Test func anErrorComesAfterTheElementsUnlessCancelled() throws {
        queue.put(1)
        queue.end(.failure(Failure()))
        queue.end(.success(()))
        #expect(try reading(queue) == "1")
        #expect(throws: Failure.self) { _ = try queue.next(0) }
        let cancelled = EventQueue<Int>()
        cancelled.put(1)
        cancelled.cancel()
        #expect(throws: CancellationError.self) { _ = try cancelled.next(-1) }
    }

    @Test func aWaitingThreadIsWoken() throws {
        Thread.detachNewThread { queue.put(7) }
        #expect(try reading(queue, seconds: -1) == "7")
    }
}
