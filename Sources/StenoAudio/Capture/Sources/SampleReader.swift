import StenoCore

/// Reads a blocking source into a stream, on a dedicated thread.
struct SampleReader: Sendable {
    /// The destination of the samples.
    let output: ChunkWriter
    private let queue: ChunkQueue
    private let chunkLength: Int
    private let fillsChunks: Bool
    private let waitingLimit: Int

    /// - Parameters:
    ///   - chunkLength: The maximum length of a chunk; 100 ms by default.
    ///   - fillsChunks: Whether chunks are delivered only when full; live audio is delivered as it arrives.
    ///   - waitingLimit: The number of undelivered samples at which reading pauses.
    init(
        _ queue: ChunkQueue, chunkLength: Int = AudioFile.sampleRate / 10, fillsChunks: Bool = false,
        waitingLimit: Int = .max
    ) {
        output = ChunkWriter(queue)
        self.queue = queue
        self.chunkLength = chunkLength
        self.fillsChunks = fillsChunks
        self.waitingLimit = waitingLimit
    }

    /// Starts the thread; the stream ends with the audio, with an error, or when the flag is raised.
    func start(flag: CancellationFlag, _ body: @escaping @Sendable (SampleReader) throws -> Void) {
        Worker.start("steno.capture", stack: .shallow, flag: flag) { _ in
            try body(self)
        } completion: { result in
            // Errors after the capture was stopped are a consequence of stopping it.
            if case .failure(let error) = result, !flag.isCancelled {
                queue.finish(throwing: error)
            } else {
                queue.finish()
            }
        }
    }

    func readAll(of source: some SampleSource, until isStopped: () -> Bool = { false }) throws {
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: chunkLength)
        defer { buffer.deallocate() }
        while !isStopped(), case let count = try read(source, into: buffer), count > 0 {
            output.write(Array(buffer[..<count]))
            queue.waitUntilBelow(waitingLimit)
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
