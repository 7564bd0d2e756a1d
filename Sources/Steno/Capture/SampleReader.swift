import StenoWhisper

/// Reads a sound that blocks, on a thread of its own, into a stream.
struct SampleReader: Sendable {
    let continuation: AudioStream.Continuation
    /// The longest chunk, 100 ms.
    var chunkLength = AudioFile.sampleRate / 10
    /// Whether a chunk waits until it is full; live sound is handed over as it comes.
    var fillsChunks = false
    /// How many samples may wait before the reading does.
    var waitingLimit = Int.max

    /// Starts the thread; the stream ends when the sound does, when it fails, or when the flag is raised.
    func start(flag: CancellationFlag, _ body: @escaping @Sendable (SampleReader) throws -> Void) {
        Worker.start("steno.capture", flag: flag) { _ in
            try body(self)
        } completion: { result in
            // What fails once the capture is to end is a consequence of that.
            if case .failure(let error) = result, !flag.isCancelled {
                continuation.finish(throwing: error)
            } else {
                continuation.finish()
            }
        }
    }

    /// Reads to the end.
    func readAll(of source: some SampleSource, until isStopped: () -> Bool = { false }) throws {
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: chunkLength)
        defer { buffer.deallocate() }
        var position = 0
        while !isStopped(), case let count = try read(source, into: buffer), count > 0 {
            continuation.yield(AudioChunk(position: position, samples: Array(buffer[..<count])))
            position += count
            continuation.backlog.waitUntilBelow(waitingLimit)
        }
    }

    private func read(_ source: some SampleSource, into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
        var filled = 0
        repeat {
            let count = try source.read(into: UnsafeMutableBufferPointer(rebasing: buffer[filled...]))
            if count == 0 { break }
            filled += count
        } while fillsChunks && filled < buffer.count
        return filled
    }
}
