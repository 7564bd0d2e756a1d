import StenoWhisper
import Testing

@testable import Steno
@testable import StenoAudio
@testable import StenoCore

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

    @Test func aRecordingIsReadToItsEnd() async throws {
        let chunks = try await read(Source()) { false }
        #expect(chunks.map(\.position) == [0, 10, 20, 30, 40])
        #expect(chunks.map(\.samples.first) == [1, 2, 3, 4, 5])
    }

    /// A source that never blocks: only the check of the flag ends the reading.
    @Test func nothingIsReadAfterAStop() async throws {
        let source = Source()
        let chunks = try await read(source) { source.reads == 2 }
        #expect(source.reads == 2 && chunks.count == 2)
    }
}
