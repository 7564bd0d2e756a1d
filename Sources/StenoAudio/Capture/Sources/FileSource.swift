package import Foundation

/// A file read in real time, like live audio, or at full speed.
package struct FileSource: AudioSource {
    /// The speed at which chunks are delivered.
    package enum Pace: Sendable {
        /// Each chunk arrives when its last sample would have been recorded, had recording begun at the start; later if
        /// the reader is ten minutes behind.
        case realTime(any Clock<Duration>)
        /// As fast as the reader takes them, with at most half a minute read ahead.
        case unlimited

        package static var realTime: Pace { .realTime(ContinuousClock()) }
    }

    package var name: String { "“\(url.relativePath)”" }
    /// The file; any format ``AudioFile`` reads.
    package let url: URL
    package let pace: Pace
    /// Samples per chunk; the last one may be shorter.
    package let chunkLength: Int

    /// - Parameter chunkDuration: The length of a chunk in seconds, 1 ms to 30 s; other values are clamped.
    package init(_ url: URL, pace: Pace = .realTime, chunkDuration: Double = 0.1) {
        (self.url, self.pace) = (url, pace)
        let seconds = chunkDuration.isNaN ? 0.1 : min(30, max(0.001, chunkDuration))
        chunkLength = Int(seconds * Double(AudioFile.sampleRate))
    }

    /// Starts reading; errors of the file are thrown by the stream.
    package func start() async throws -> AudioStream {
        switch pace {
        case .unlimited: read()
        case .realTime(let clock): Self.delayed(read(), clock: clock)
        }
    }

    private func read() -> AudioStream {
        let flag = CancellationFlag()
        let (stream, queue) = AudioStream.makeStream(bufferLimit: nil) { flag.cancel() }
        let reader = SampleReader(
            queue, chunkLength: chunkLength, fillsChunks: true, waitingLimit: 30 * AudioFile.sampleRate)
        reader.start(flag: flag) { [url] in
            // Before opening the file, which blocks for a named pipe.
            let interruption = try Interruption()
            flag.interrupt(interruption)
            let audio = try AudioOpener(ffmpeg: .installed, soundFiles: .installed).open(
                url, interruption: interruption)
            try $0.readAll(of: audio) { flag.isCancelled }
        }
        return stream
    }

    /// The number of samples that may wait for the reader of a file in real time.
    private static let waitingLimit = AudioStream.bufferLimit.samples

    private static func delayed(_ stream: AudioStream, clock: any Clock<Duration>) -> AudioStream {
        let flag = CancellationFlag()
        let (delayed, queue) = AudioStream.makeStream(bufferLimit: nil) { flag.cancel() }
        let task = Task.detached {
            do {
                try await deliver(stream, to: queue, clock: clock)
                queue.finish()
            } catch {
                queue.finish(throwing: flag.isCancelled ? nil : error)
            }
        }
        flag.whenCancelled { task.cancel() }
        return delayed
    }

    private static func deliver<C: Clock<Duration>>(
        _ stream: AudioStream, to queue: ChunkQueue, clock: C
    ) async throws {
        let start = clock.now
        for try await chunk in stream {
            let due = Duration.seconds(1) * chunk.end / AudioFile.sampleRate
            try await clock.sleep(until: start.advanced(by: due), tolerance: nil)
            await queue.suspendUntilBelow(waitingLimit)
            try Task.checkCancellation()
            queue.add(chunk)
        }
    }
}
