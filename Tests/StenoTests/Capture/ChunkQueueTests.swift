import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio

/// The limit of what waits for a slow reader, and pausing a source at it.
@Suite(.timeLimit(.minutes(60))) struct ChunkQueueTests {
    private func chunk(_ position: Int, _ count: Int = 10, _ reports: [AudioDiscontinuity] = []) -> AudioChunk {
        AudioChunk(position: position, samples: [Float](repeating: 0.5, count: count), discontinuities: reports)
    }

    private func rest(of queue: ChunkQueue) async throws -> [AudioChunk] {
        queue.finish(throwing: nil)
        var chunks: [AudioChunk] = []
        while let chunk = try await queue.next() { chunks.append(chunk) }
        return chunks
    }

    @Test func aFullQueueDropsTheNewestAndTheNextChunkReportsIt() async throws {
        let queue = ChunkQueue(limit: 100) {}
        for number in 0..<13 { queue.add(chunk(number * 10)) }
        #expect(queue.waiting == 100)
        for number in 0..<4 { #expect(try await queue.next() == chunk(number * 10)) }
        // Positions are the source's, which here has lost ten samples of its own.
        let own = AudioDiscontinuity(.skipped, position: 130, length: 10)
        queue.add(chunk(140, 10, [own]))
        queue.add(chunk(150))
        let loss = AudioDiscontinuity(.overflowed, position: 100, length: 40)
        #expect(
            try await rest(of: queue) == (4..<10).map { chunk($0 * 10) } + [chunk(140, 10, [loss, own]), chunk(150)])
    }

    /// One long gap is better than a hole after every chunk that is read.
    @Test func aFullQueueTakesNothingUntilATenthIsFree() async throws {
        let queue = ChunkQueue(limit: 100) {}
        for number in 0..<21 { queue.add(chunk(number * 5, 5)) }
        _ = try await queue.next()
        // There is room for it, but not for much.
        queue.add(chunk(105, 2))
        #expect(queue.waiting == 95)
        _ = try await queue.next()
        queue.add(chunk(107, 2))
        queue.add(chunk(109, 2))
        #expect(queue.waiting == 94)
        let last = try await rest(of: queue).suffix(2)
        #expect(last.map(\.position) == [107, 109])
        #expect(last.map(\.discontinuities) == [[AudioDiscontinuity(.overflowed, position: 100, length: 7)], []])
    }

    @Test func aLossAtTheEndIsReportedToo() async throws {
        let queue = ChunkQueue(limit: 20) {}
        for number in 0..<5 { queue.add(chunk(number * 10)) }
        let loss = AudioDiscontinuity(.overflowed, position: 20, length: 30)
        #expect(try await rest(of: queue) == [chunk(0), chunk(10), chunk(50, 0, [loss])])
    }

    /// Chunks that only report take no room, and are dropped only where the audio around them is.
    @Test func aChunkThatIsLargerThanTheLimitIsTakenWhenNothingWaits() async throws {
        let queue = ChunkQueue(limit: 5) {}
        let report = AudioDiscontinuity(.clockReset, position: 10, length: 1)
        queue.add(chunk(0))
        queue.add(chunk(10))
        queue.add(chunk(20, 0, [report]))
        let loss = AudioDiscontinuity(.overflowed, position: 10, length: 10)
        #expect(try await rest(of: queue) == [chunk(0), chunk(20, 0, [loss])])
    }

    @Test func withoutALimitNothingIsDropped() async throws {
        let queue = ChunkQueue(limit: nil) {}
        let chunks = (0..<1_000).map { chunk($0 * 10) }
        for chunk in chunks { queue.add(chunk) }
        #expect(queue.waiting == 10_000)
        #expect(try await rest(of: queue) == chunks)
    }

    /// A thread waits, or a task; both until there is room or nobody reads any more.
    @Test(arguments: [true, false]) func callersCanWaitForRoom(onThread isThread: Bool) async throws {
        let queue = ChunkQueue(limit: nil) {}
        @Sendable func wait() async throws {
            if isThread { try await onThread { queue.waitUntilBelow(100) } } else { await queue.suspendUntilBelow(100) }
        }
        queue.add(chunk(0, 100))
        let waiting = Task { try await wait() }
        _ = try await queue.next()
        try await waiting.value
        queue.add(chunk(100, 100))
        if !isThread {
            let cancelled = Task { try await wait() }
            cancelled.cancel()
            try await cancelled.value
        }
        let abandoned = Task { try await wait() }
        queue.abandon()
        try await abandoned.value
        #expect(queue.waiting == 0)
    }

    /// From several threads at once: every sample is read or reported as dropped, in order.
    @Test(arguments: 0..<20 as Range<UInt64>) func everySampleIsReadOrReported(seed: UInt64) async throws {
        let queue = ChunkQueue(limit: 50) {}
        var random = SplitMix64(seed: seed)
        let counts = (0..<400).map { _ in Int.random(in: 1...20, using: &random) }
        let writing = Task {
            var position = 0
            for (number, count) in counts.enumerated() {
                queue.add(chunk(position, count))
                position += count
                if number % 16 == 0 { await Task.yield() }
            }
            queue.finish(throwing: nil)
        }
        var position = 0
        while let chunk = try await queue.next() {
            let lost = chunk.discontinuities.map(\.length).reduce(0, +)
            #expect(chunk.discontinuities.allSatisfy { $0.kind == .overflowed && $0.position == position })
            #expect(chunk.position == position + lost)
            position = chunk.end
        }
        await writing.value
        #expect(position == counts.reduce(0, +))
    }
}

@Suite struct ChunkWriterTests {
    private func chunks(_ write: (ChunkWriter) -> Void) async throws -> [AudioChunk] {
        let (stream, queue) = AudioStream.makeStream {}
        write(ChunkWriter(queue))
        queue.finish()
        return try await collect(stream)
    }

    @Test func aLossIsSilenceOfItsLengthAndALongOneAJump() async throws {
        let chunks = try await chunks {
            $0.write([1, 1])
            $0.lose(3)
            $0.lose(0)
            $0.write([1])
            $0.lose(480_001)
            $0.write([1])
        }
        let filled = AudioDiscontinuity(.filled, position: 2, length: 3)
        let skipped = AudioDiscontinuity(.skipped, position: 6, length: 480_001)
        #expect(
            chunks == [
                AudioChunk(position: 0, samples: [1, 1]),
                AudioChunk(position: 2, samples: [0, 0, 0], discontinuities: [filled]),
                AudioChunk(position: 5, samples: [1]),
                AudioChunk(position: 480_007, samples: [], discontinuities: [skipped]),
                AudioChunk(position: 480_007, samples: [1]),
            ])
    }

    /// A recorder may report any time, and a wrong one, without taking memory for it.
    @Test func aLossOfADayIsAPositionAndNoSamples() async throws {
        let day = 86_400 * 16_000
        let chunks = try await chunks {
            $0.write([1])
            for _ in 0..<365 { $0.lose(day) }
            $0.write([1])
        }
        #expect(chunks.count == 367 && chunks.map(\.samples.count).reduce(0, +) == 2)
        #expect(chunks.last?.position == 1 + 365 * day)
    }
}
