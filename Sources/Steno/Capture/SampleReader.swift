import StenoCore

/// Reads a recording that blocks, on a thread of its own, into a stream.
struct SampleReader: Sendable {
    /// Where the samples go.
    let output: ChunkWriter
    private let continuation: AudioStream.Continuation
    private let chunkLength: Int
    private let fillsChunks: Bool
    private let waitingLimit: Int

    /// - Parameters:
    ///   - chunkLength: The longest chunk; 100 ms unless told.
    ///   - fillsChunks: Whether a chunk waits until it is full; live audio is handed over as it comes.
    ///   - waitingLimit: How many samples may wait before the reading does.
    init(
        continuation: AudioStream.Continuation, chunkLength: Int = AudioFile.sampleRate / 10, fillsChunks: Bool = false,
        waitingLimit: Int = .max
    ) {
        output = ChunkWriter(continuation)
        self.continuation = continuation
        self.chunkLength = chunkLength
        self.fillsChunks = fillsChunks
        self.waitingLimit = waitingLimit
    }

    /// Starts the thread; the stream ends when the audio does, when it fails, or when the flag is raised.
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
        while !isStopped(), case let count = try read(source, into: buffer), count > 0 {
            output.write(Array(buffer[..<count]))
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
