import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

@Suite(.timeLimit(.minutes(60))) struct AudioStreamTests {
    private let chunks = (0..<5).map { AudioChunk(position: $0 * 800, samples: [Float](repeating: 0.5, count: 800)) }

    @Test func waitingAudioIsCountedAndNothingIsLost() async throws {
        let (stream, queue) = AudioStream.makeStream {}
        for chunk in chunks { queue.add(chunk) }
        #expect(stream.secondsWaiting == 0.25)
        queue.finish()
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == chunks[0])
        #expect(stream.secondsWaiting == 0.2)
        for chunk in chunks[1...] { #expect(try await iterator.next() == chunk) }
        #expect(try await iterator.next() == nil)
        #expect(stream.secondsWaiting == 0)
    }

    @Test func stoppingAsksTheSourceOnceAndKeepsItsAudio() async throws {
        let stops = Counter()
        let (stream, queue) = AudioStream.makeStream { stops.add() }
        queue.add(chunks[0])
        stream.stop()
        stream.stop()
        #expect(stops.count == 1)
        queue.add(chunks[1])
        queue.finish()
        #expect(try await collect(stream) == Array(chunks[..<2]))
    }

    @Test func anErrorComesAfterTheAudio() async throws {
        let (stream, queue) = AudioStream.makeStream {}
        queue.add(chunks[0])
        queue.finish(throwing: StenoError(.captureFailed, "gone"))
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == chunks[0])
        await #expect(throws: StenoError.self) { try await iterator.next() }
    }

    @Test func aCancelledReaderStopsTheSourceAndThrows() async throws {
        let (stopped, stop) = AsyncStream.makeStream(of: Void.self)
        let (stream, queue) = AudioStream.makeStream { stop.finish() }
        queue.add(chunks[0])
        let started = AsyncGate()
        let task = Task { for try await _ in stream { started.open() } }
        await started.wait()
        await expectCancellation(of: task)
        for await _ in stopped {}
    }

    @Test func aReleasedStreamStopsTheSource() async {
        let (stopped, stop) = AsyncStream.makeStream(of: Void.self)
        let queue = AudioStream.makeStream { stop.finish() }.queue
        for await _ in stopped {}
        queue.add(chunks[0])
        queue.finish()
    }

    /// The stop handler usually holds the source, which holds the queue.
    @Test func anEndedSourceIsReleased() {
        weak var source: Counter?
        let (stream, queue) = {
            let counter = Counter()
            source = counter
            return AudioStream.makeStream { counter.add() }
        }()
        #expect(source != nil)
        queue.finish()
        #expect(source == nil)
        withExtendedLifetime(stream) {}
    }

    /// The loop ends while somebody keeps the stream, to stop it later.
    @Test func leavingTheLoopStopsTheSourceOfAKeptStream() async throws {
        let stops = Counter()
        let (stream, queue) = AudioStream.makeStream { stops.add() }
        for chunk in chunks { queue.add(chunk) }
        for try await _ in stream { break }
        #expect(stops.count == 1)
        // Neither waiting nor later audio takes memory.
        queue.add(chunks[0])
        #expect(stream.secondsWaiting == 0)
    }

    @Test func aCancelledLoopStopsTheSourceOfAKeptStream() async throws {
        let (stopped, stop) = AsyncStream.makeStream(of: Void.self)
        let (stream, queue) = AudioStream.makeStream { stop.finish() }
        for chunk in chunks { queue.add(chunk) }
        let read = Counter()
        let task = Task {
            for try await _ in stream {
                read.add()
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        for await _ in stopped {}
        #expect(read.count == 1)
        #expect(stream.secondsWaiting == 0)
    }

    @Test(arguments: [nil, StenoError(.captureFailed, "gone")])
    func anEndedSourceIsNotStopped(error: StenoError?) async throws {
        let stops = Counter()
        let (stream, queue) = AudioStream.makeStream { stops.add() }
        queue.finish(throwing: error)
        let chunks = try? await collect(stream)
        #expect(chunks == (error == nil ? [] : nil))
        stream.stop()
        #expect(stops.count == 0)
    }

    /// Reading does not end with the first iterator.
    @Test func aCopiedIteratorReadsOn() async throws {
        let (stream, queue) = AudioStream.makeStream {}
        for chunk in chunks { queue.add(chunk) }
        queue.finish()
        var second: AudioStream.AsyncIterator
        do {
            var first = stream.makeAsyncIterator()
            #expect(try await first.next() == chunks[0])
            second = first
        }
        #expect(try await second.next() == chunks[1])
    }
}

func collect(_ stream: AudioStream) async throws -> [AudioChunk] {
    try await stream.reduce(into: []) { $0.append($1) }
}
