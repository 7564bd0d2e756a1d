/// The chunks of an ``AudioSource``, each as soon as it was heard.
///
/// No audio is dropped for a reader that is slow: chunks wait, without a bound for what cannot be asked to wait (an
/// hour is 230 MB), and `secondsWaiting` says how much they are. Leaving the loop, or cancelling its task, ends the
/// capture, and a cancelled loop throws `CancellationError`. A stream is read once.
public struct AudioStream: AsyncSequence, Sendable {
    /// One reading of the chunks.
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
            // A cancelled stream just ends; without this it would look like the end of the audio.
            try Task.checkCancellation()
            return nil
        }
    }

    /// The other end, for those who make a source of their own.
    public struct Continuation: Sendable {
        fileprivate let base: AsyncThrowingStream<AudioChunk, any Error>.Continuation
        let backlog: Backlog

        /// Hands over sound, from any thread; returns at once.
        public func yield(_ chunk: AudioChunk) {
            backlog.add(chunk.samples.count)
            base.yield(chunk)
        }

        /// Ends the stream behind what was handed over, with an error when the capture failed.
        public func finish(throwing error: (any Error)? = nil) { base.finish(throwing: error) }
    }

    /// How the source itself delivers sound, where that is known from the start: its rate and channels.
    public let format: PCMFormat?
    /// How much audio has been captured and not been read yet, in seconds.
    public var secondsWaiting: Double { Double(backlog.count) / Double(AudioFile.sampleRate) }

    private let base: AsyncThrowingStream<AudioChunk, any Error>
    private let backlog: Backlog
    private let ending: CancellationFlag

    /// Creates a stream and the end that feeds it.
    ///
    /// - Parameters:
    ///   - format: How the source delivers sound.
    ///   - onStop: Called once, on any thread, when no more audio is wanted; the source then hands over what it has and
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

    /// Ends the capture: what was heard until now still comes, and then the stream ends.
    public func stop() { ending.cancel() }

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), backlog: backlog)
    }
}
