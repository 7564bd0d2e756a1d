import Foundation
import Testing

@testable import Steno
@testable import StenoAudio
@testable import StenoCore

/// The buffer between a thread that must not wait and one that may.
@Suite(.timeLimit(.minutes(60))) struct SampleRingTests {
    private func pull(_ ring: SampleRing, _ capacity: Int) -> (SampleRing.Item, [Float]) {
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: capacity)
        buffer.initialize(repeating: 0)
        defer { buffer.deallocate() }
        let item = ring.pull(into: buffer)
        return (item, Array(buffer))
    }

    @Test func framesComeOutInOrderAroundTheEnd() throws {
        let ring = try SampleRing(frames: 3, channels: 2)
        var number: Float = 0
        for _ in 0..<5 {
            let pushed = [number, number + 1, number + 2, number + 3]
            #expect(ring.push(pushed, frames: 2))
            #expect(pull(ring, 4) == (.frames(2), pushed))
            number += 4
        }
    }

    @Test func aLossIsReportedOnceAfterEarlierFrames() throws {
        let ring = try SampleRing(frames: 4, channels: 1)
        #expect(ring.push([1, 2, 3], frames: 3) && !ring.push([4, 5], frames: 2))
        // There is room for one, but a loss is a single gap.
        #expect(!ring.push([6], frames: 1))
        #expect(pull(ring, 8).0 == .frames(3) && pull(ring, 8).0 == .lost(3))
        #expect(ring.push([7], frames: 1))
        ring.end()
        #expect(!ring.push([8], frames: 1))
        #expect(pull(ring, 1) == (.frames(1), [7]) && pull(ring, 1).0 == .end)
    }

    /// As many frames are accepted as are reported free.
    @Test func freeFramesAreAccepted() throws {
        let ring = try SampleRing(frames: 4, channels: 2)
        #expect(ring.freeFrames == 4 && ring.push([1, 1, 2, 2, 3, 3], frames: 3) && ring.freeFrames == 1)
        #expect(ring.push([4, 4], frames: ring.freeFrames) && ring.freeFrames == 0)
        #expect(pull(ring, 4).0 == .frames(2) && ring.freeFrames == 2, "asking loses nothing")
        #expect(!ring.push([Float](repeating: 0, count: 6), frames: 3) && ring.freeFrames == 0)
        #expect(pull(ring, 8).0 == .frames(2) && pull(ring, 8).0 == .lost(3))
        #expect(ring.freeFrames == 4 && ring.push([Float](repeating: 0, count: 8), frames: 4))
        ring.end()
        #expect(ring.freeFrames == 4, "nobody waits for room after the end")
    }

    @Test func theEndKnowsOfAWaitingWriterAndARingHasOneReader() throws {
        let ring = try SampleRing(frames: 4, channels: 1)
        #expect(!ring.end())
        ring.wantRoom()
        #expect(ring.end() && ring.claim() && !ring.claim())
    }

    /// At full speed nothing is lost uncounted, repeated or reordered.
    @Test func lossesBetweenThreadsAreCounted() throws {
        let ring = try SampleRing(frames: 256, channels: 1)
        let total = 200_000
        let writer = Thread {
            var next = 0
            while next < total {
                let count = min(17, total - next)
                let block = (0..<count).map { Float(next + $0) }
                _ = ring.push(block, frames: count)
                next += count
            }
            ring.end()
        }
        writer.start()
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 64)
        defer { buffer.deallocate() }
        var position = 0, isOver = false
        while !isOver {
            switch ring.pull(into: buffer) {
            case .frames(let count):
                for index in 0..<count where buffer[index] != Float(position + index) {
                    Issue.record("sample \(position + index) is \(buffer[index])")
                    return
                }
                position += count
            case .lost(let count): position += count
            case .end: isOver = true
            }
        }
        #expect(position == total)
    }
}

@Suite(.timeLimit(.minutes(60))) struct SampleReaderTests {
    /// Gives ten samples a read, and counts the reads.
    private final class Source: SampleSource {
        private(set) var reads = 0

        func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
            guard reads < 5 else { return 0 }
            reads += 1
            buffer[..<10].update(repeating: Float(reads))
            return 10
        }

        func rewind() -> Bool { false }
    }

    private func read(_ source: Source, until isStopped: () -> Bool) async throws -> [AudioChunk] {
        let (stream, queue) = AudioStream.makeStream {}
        try SampleReader(queue).readAll(of: source, until: isStopped)
        queue.finish()
        return try await collect(stream)
    }

    /// A source that never blocks: only the check of the flag ends the reading.
    @Test func aRecordingIsReadToItsEndAndNothingAfterAStop() async throws {
        let whole = try await read(Source()) { false }
        #expect(whole.map(\.position) == [0, 10, 20, 30, 40] && whole.map(\.samples.first) == [1, 2, 3, 4, 5])
        let source = Source()
        let chunks = try await read(source) { source.reads == 2 }
        #expect(source.reads == 2 && chunks.count == 2)
    }
}
