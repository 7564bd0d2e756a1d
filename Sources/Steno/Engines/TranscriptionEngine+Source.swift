extension TranscriptionEngine {
    /// Appends a stream of audio to its end; call ``finish()`` afterwards.
    ///
    /// Where positions jump, silence is inserted, so that all times are those of the source. Discontinuities are
    /// reported to the engine.
    /// - Parameter onChunk: Called with every chunk before it is appended.
    /// - Throws: The errors of the stream and of the engine.
    public func append(
        contentsOf stream: AudioStream, onChunk: (AudioChunk) throws -> Void = { _ in }
    ) async throws {
        var position = 0
        for try await chunk in stream {
            try onChunk(chunk)
            for discontinuity in chunk.discontinuities { await report(discontinuity) }
            while position < chunk.position {
                let count = min(chunk.position - position, 10 * AudioFile.sampleRate)
                try await append([Float](repeating: 0, count: count))
                position += count
            }
            try await append(chunk.samples)
            position += chunk.samples.count
        }
    }
}
