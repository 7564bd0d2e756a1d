extension TranscriptionEngine {
    /// Takes in a stream of audio to its end; call ``finish()`` then.
    ///
    /// Where the audio was interrupted for so long that no samples stand for it, silence is put in, so that all times
    /// are those of the source. What was not continuous is reported to the engine.
    /// - Parameter onChunk: Told every chunk before it is taken in.
    /// - Throws: What the stream or the engine throws.
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
