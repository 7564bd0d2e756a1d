/// The chunks of an ``AudioSource``, each as soon as it is captured.
///
/// Chunks are buffered while the reader is slow; `secondsWaiting` is the buffered duration. Sources that can be paused
/// (files, pipes) pause when a lot of audio is waiting. For others, such as a microphone, at most `bufferLimit` is
/// kept: beyond it, new audio is dropped until there is room again, and the next chunk reports it (`overflowed`).
///
/// The capture lasts as long as there is a reader: leaving the loop or cancelling its task ends it, even if a copy of
/// the stream is kept for ``stop()``. A cancelled loop throws `CancellationError`. A stream can be read once.
package struct AudioStream: AsyncSequence, Sendable {
    package struct AsyncIterator: AsyncIteratorProtocol {
        private let reading: Reading

        fileprivate init(_ owner: Owner) { reading = Reading(owner) }

        /// The next chunk, or nil at the end of the audio.
        ///
        /// - Throws: `StenoError` when the capture failed, once the earlier chunks have been read.
        package mutating func next() async throws -> AudioChunk? {
            if let chunk = try await reading.owner.queue.next() { return chunk }
            // A cancelled stream just ends, which would look like the end of the audio.
            try Task.checkCancellation()
            return nil
        }
    }

    /// The default limit for audio kept from a source that cannot be paused, in seconds: ten minutes (38 MB).
    package static let bufferLimit = 600.0

    /// The source's own sample rate and channels, if they are known from the start.
    package let format: PCMFormat?
    /// The duration of the audio captured but not read yet, in seconds.
    package var secondsWaiting: Double { Double(owner.queue.waiting) / Double(AudioFile.sampleRate) }

    private let owner: Owner

    /// Creates a stream and the queue to which the source adds its chunks.
    ///
    /// - Parameters:
    ///   - bufferLimit: The audio kept for a slow reader, in seconds, 0 or more; beyond it, new chunks are dropped. Nil
    ///     keeps everything.
    ///   - onStop: Called once, on any thread, when the capture is to end; the source then delivers its remaining audio
    ///     and finishes. Not called when the source has finished by itself.
    package static func makeStream(
        format: PCMFormat? = nil, bufferLimit: Double? = Self.bufferLimit, onStop: @escaping @Sendable () -> Void
    ) -> (stream: AudioStream, queue: ChunkQueue) {
        // The bounds keep the product in the range of an integer; the upper one is three years.
        let limit = bufferLimit.map { Int(Swift.max(0, Swift.min(1e8, $0)) * Double(AudioFile.sampleRate)) }
        let queue = ChunkQueue(limit: limit, onStop: onStop)
        return (AudioStream(format: format, owner: Owner(queue)), queue)
    }

    /// Ends the capture: audio captured so far is still delivered, then the stream ends.
    package func stop() { owner.queue.stop() }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(owner) }
}

/// Held by all copies of a stream and by its iterators: the capture ends with the last of them.
private final class Owner: Sendable {
    let queue: ChunkQueue

    init(_ queue: ChunkQueue) { self.queue = queue }

    deinit { queue.abandon() }
}

/// Held by the copies of an iterator: the capture ends with the last iterator.
private final class Reading: Sendable {
    let owner: Owner

    init(_ owner: Owner) {
        self.owner = owner
        owner.queue.beginReading()
    }

    deinit { owner.queue.endReading() }
}

/// A piece of audio in the format of the engine (16 kHz, mono, −1 to 1) and its position.
package struct AudioChunk: Sendable, Hashable {
    /// The index of the first sample, counted at 16 kHz from the start of the audio.
    package let position: Int
    /// The samples; empty when the chunk only carries reports.
    package let samples: [Float]
    /// The discontinuities between the end of the previous chunk and the end of this one.
    package let discontinuities: [AudioDiscontinuity]

    package var end: Int { position + samples.count }

    package init(position: Int, samples: [Float], discontinuities: [AudioDiscontinuity] = []) {
        (self.position, self.samples, self.discontinuities) = (position, samples, discontinuities)
    }
}

/// A position at which audio is missing or was delivered twice.
package struct AudioDiscontinuity: Sendable, Hashable {
    /// The kind of discontinuity and how it was handled; there may be more in later versions.
    package struct Kind: RawRepresentable, Sendable, Hashable {
        /// Audio was missing and was replaced by silence of the same length.
        package static let filled = Kind(rawValue: "filled")
        /// Much audio was missing; positions jump, without samples in between.
        package static let skipped = Kind(rawValue: "skipped")
        /// Audio was delivered twice; the repetition was dropped.
        package static let overlapped = Kind(rawValue: "overlapped")
        /// The clock of the source was set; positions continue, and later times count from here.
        package static let clockReset = Kind(rawValue: "clock_reset")
        /// The reader was too slow and the buffer was full; the audio was dropped, and positions jump.
        package static let overflowed = Kind(rawValue: "overflowed")

        /// The name, as in the JSON of an event.
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
    }

    package let kind: Kind
    /// The position of the discontinuity, in samples at 16 kHz.
    package let position: Int
    /// The length of the missing or repeated audio or of the clock's jump, in samples at 16 kHz, rounded.
    package let length: Int

    package init(_ kind: Kind, position: Int, length: Int) {
        (self.kind, self.position, self.length) = (kind, position, length)
    }
}
