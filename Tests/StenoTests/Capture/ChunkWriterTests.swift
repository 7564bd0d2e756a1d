import Testing

@testable import Steno

@Suite struct ChunkWriterTests {
    private func chunks(_ write: (ChunkWriter) -> Void) async throws -> [AudioChunk] {
        let (stream, continuation) = AudioStream.makeStream {}
        write(ChunkWriter(continuation))
        continuation.finish()
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
}
