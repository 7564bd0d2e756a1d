public import Foundation

/// A file that is heard as if it were spoken now, or as fast as it is read.
public struct FileSource: AudioSource {
    /// When the chunks come.
    public enum Pace: Sendable {
        /// Each when its last sample would have been recorded, had the recording begun with the start.
        case realTime(any Clock<Duration>)
        /// As fast as the reader takes them; at most half a minute is read ahead.
        case unlimited

        /// At the pace of speech.
        public static var realTime: Pace { .realTime(ContinuousClock()) }
    }

    /// The quoted path.
    public var name: String { "“\(url.relativePath)”" }
    /// The file; any format ``AudioFile`` reads.
    public let url: URL
    /// When the chunks come.
    public let pace: Pace
    /// Samples in a chunk; the last one may be shorter.
    public let chunkLength: Int

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - pace: When the chunks come.
    ///   - chunkDuration: The length of a chunk in seconds, 1 ms to 30 s; what lies outside is moved to the limit.
    public init(_ url: URL, pace: Pace = .realTime, chunkDuration: Double = 0.1) {
        self.url = url
        self.pace = pace
        let seconds = chunkDuration.isNaN ? 0.1 : min(30, max(0.001, chunkDuration))
        chunkLength = Int(seconds * Double(AudioFile.sampleRate))
    }

    /// Begins to read; what is wrong with the file is thrown by the stream.
    public func start() async throws -> AudioStream {
        switch pace {
        case .unlimited: read()
        case .realTime(let clock): Self.delayed(read(), clock: clock)
        }
    }

    private func read() -> AudioStream {
        let flag = CancellationFlag()
        let (stream, continuation) = AudioStream.makeStream { flag.cancel() }
        let reader = SampleReader(
            continuation: continuation, chunkLength: chunkLength, fillsChunks: true,
            waitingLimit: 30 * AudioFile.sampleRate)
        reader.start(flag: flag) { [url] in
            // Before the opening, which waits where the file is a named pipe.
            let interruption = try Interruption()
            flag.interrupt(interruption)
            let audio = try AudioOpener(ffmpeg: .installed).open(url, interruption: interruption)
            try $0.readAll(of: audio) { flag.isCancelled }
        }
        return stream
    }

    private static func delayed(_ stream: AudioStream, clock: any Clock<Duration>) -> AudioStream {
        let flag = CancellationFlag()
        let (delayed, continuation) = AudioStream.makeStream { flag.cancel() }
        let task = Task.detached {
            do {
                try await deliver(stream, to: continuation, clock: clock)
                continuation.finish()
            } catch {
                continuation.finish(throwing: flag.isCancelled ? nil : error)
            }
        }
        flag.whenCancelled { task.cancel() }
        return delayed
    }

    private static func deliver<C: Clock<Duration>>(
        _ stream: AudioStream, to continuation: AudioStream.Continuation, clock: C
    ) async throws {
        let start = clock.now
        for try await chunk in stream {
            let due = Duration.seconds(1) * chunk.end / AudioFile.sampleRate
            try await clock.sleep(until: start.advanced(by: due), tolerance: nil)
            continuation.yield(chunk)
        }
    }
}
