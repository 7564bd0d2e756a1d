/// The chunks of an ``AudioSource``, each as soon as it is captured.
///
/// No audio is dropped when the reader is slow: chunks are buffered, without a bound for sources that cannot be paused
/// (an hour takes 230 MB); `secondsWaiting` is the buffered duration. Leaving the loop, or cancelling its task, ends
/// the capture, and a cancelled loop throws `CancellationError`. A stream can be read once.
public struct AudioStream: AsyncSequence, Sendable {
    /// Iterates over the chunks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncThrowingStream<AudioChunk, any Error>.AsyncIterator
        fileprivate let backlog: Backlog

        /// The next chunk, or nil at the end of the audio.
        ///
        /// - Throws: `StenoError` when the capture failed, after the chunks that came before.
        public mutating func next() async throws -> AudioChunk? {
            if let chunk = try await base.next() {
                backlog.remove(chunk.samples.count)
                return chunk
            }
            // A cancelled stream just ends, which would look like the end of the audio.
            try Task.checkCancellation()
            return nil
        }
    }

    /// The producer's end of a stream, for custom sources.
    public struct Continuation: Sendable {
        fileprivate let base: AsyncThrowingStream<AudioChunk, any Error>.Continuation
        let backlog: Backlog

        /// Delivers a chunk, from any thread; returns at once.
        public func yield(_ chunk: AudioChunk) {
            backlog.add(chunk.samples.count)
            base.yield(chunk)
        }

        /// Ends the stream after the delivered chunks, with an error when the capture failed.
        public func finish(throwing error: (any Error)? = nil) { base.finish(throwing: error) }
    }

    /// The source's own sample rate and channels, where they are known from the start.
    public let format: PCMFormat?
    /// The duration of the audio captured but not read yet, in seconds.
    public var secondsWaiting: Double { Double(backlog.count) / Double(AudioFile.sampleRate) }

    private let base: AsyncThrowingStream<AudioChunk, any Error>
    private let backlog: Backlog
    private let ending: CancellationFlag

    /// Creates a stream and the producer's end.
    ///
    /// - Parameters:
    ///   - format: The source's own sample rate and channels.
    ///   - onStop: Called once, on any thread, when the capture is to end; the source then delivers what it has and
    ///     finishes. Not called when the source has finished by itself.
    public static func makeStream(
        format: PCMFormat? = nil, onStop: @escaping @Sendable () -> Void
    ) -> (stream: AudioStream, continuation: Continuation) {
        let (base, continuation) = AsyncThrowingStream.makeStream(
            of: AudioChunk.self, throwing: (any Error).self, bufferingPolicy: .unbounded)
        let (backlog, ending) = (Backlog(), CancellationFlag())
        ending.whenCancelled(onStop)
        continuation.onTermination = { reason in
            backlog.close()
            if case .cancelled = reason { ending.cancel() }
        }
        let stream = AudioStream(format: format, base: base, backlog: backlog, ending: ending)
        return (stream, Continuation(base: continuation, backlog: backlog))
    }

    /// Ends the capture: audio captured so far is still delivered, then the stream ends.
    public func stop() { ending.cancel() }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), backlog: backlog)
    }
}
