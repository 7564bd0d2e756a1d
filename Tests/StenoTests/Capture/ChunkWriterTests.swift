import Testing

@testable import Steno
@testable import StenoAudio

@Suite struct ChunkWriterTests {
    private func chunks(_ write: (ChunkWriter) -> Void) async throws -> [AudioChunk] {
        let (stream, queue) = AudioStream.makeStream {}
        write(ChunkWriter(queue))
        queue.finish()
        return try await collect(stream)
    }

    @Test func aLossIsSilenceOfItsLength() async throws {
        let chunks = try await chunks {
            $0.write([1, 1])
            $0.lose(3)
            $0.lose(0)
            $0.write([1])
        }
        let loss = AudioDiscontinuity(.filled, position: 2, length: 3)
        #expect(
            chunks == [
                AudioChunk(position: 0, samples: [1, 1]),
                AudioChunk(position: 2, samples: [0, 0, 0], discontinuities: [loss]),
                AudioChunk(position: 5, samples: [1]),
            ])
    }

    @Test func aLongLossIsAJump() async throws {
        let chunks = try await chunks {
            $0.write([1])
            $0.lose(480_001)
            $0.write([1])
        }
        let loss = AudioDiscontinuity(.skipped, position: 1, length: 480_001)
        #expect(
            chunks == [
                AudioChunk(position: 0, samples: [1]),
                AudioChunk(position: 480_002, samples: [], discontinuities: [loss]),
                AudioChunk(position: 480_002, samples: [1]),
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
        #expect(chunks.count == 367)
        #expect(chunks.map(\.samples.count).reduce(0, +) == 2)
        #expect(chunks.last?.position == 1 + 365 * day)
    }
}
