import Foundation

/// Audio that the app delivers itself, in buffers of any rate and channel count: from an audio engine it already has, a
/// call, a network.
///
///     let input = BufferInput()
///     call.onAudio = { buffer in try? input.push(buffer) }          // PCMBuffer, with or without a start time
///     call.onEnd = { input.finish() }
///     try await engine.append(contentsOf: input.start())
///
/// Buffers may be pushed from any thread, one after the other; no call blocks. Rates, start times, gaps and repetitions
/// are handled as by ``AudioStreamConverter``, which is the simpler choice where one task has both ends.
///
/// `@unchecked Sendable`: the stored values that change are accessed only under the lock.
package final class BufferInput: AudioSource, @unchecked Sendable {
    /// The name in messages.
    package let name: String

    private let lock = NSLock()
    private let converter: AudioStreamConverter
    private let continuation: AudioStream.Continuation
    /// Nil once it was handed out.
    private var stream: AudioStream?
    private var isFinished = false

    /// Creates an input with an empty stream.
    ///
    /// - Parameters:
    ///   - name: The name in messages.
    ///   - longestGap: The longest gap that is filled with silence, from 0 to 600 s, as for ``AudioStreamConverter``.
    ///   - tolerance: The jitter of start times that is ignored, in seconds.
    ///   - bufferLimit: The audio that is kept for a slow reader, in seconds; beyond it new audio is dropped and
    ///     reported. Nil keeps any amount.
    ///   - onStop: Called once, on any thread, when nobody reads any more or the reader wants the audio to end; the
    ///     app then calls ``finish(throwing:)``.
    package init(
        name: String = "the app's audio", longestGap: Double = AudioStreamConverter.longestGap, tolerance: Double = 0,
        bufferLimit: Double? = AudioStream.bufferLimit, onStop: @escaping @Sendable () -> Void = {}
    ) {
        self.name = name
        converter = AudioStreamConverter(longestGap: longestGap, tolerance: tolerance)
        (stream, continuation) = AudioStream.makeStream(bufferLimit: bufferLimit, onStop: onStop)
    }

    /// The stream of what is pushed; what was pushed before is waiting in it.
    ///
    /// - Throws: `StenoError.captureUnavailable` at the second call: an input is one recording.
    package func start() async throws -> AudioStream { try handOut() }

    /// Converts and delivers the next buffer; does nothing when nobody reads any more.
    ///
    /// - Throws: `StenoError.invalidOption` after ``finish(throwing:)``.
    package func push(_ buffer: PCMBuffer) throws {
        try lock.withLock {
            for chunk in try converter.push(buffer) { continuation.yield(chunk) }
        }
    }

    /// Ends the audio; a second call does nothing.
    ///
    /// - Parameter error: Why the audio ended early; the stream throws it after what was pushed before.
    package func finish(throwing error: (any Error)? = nil) {
        lock.withLock {
            guard !isFinished else { return }
            isFinished = true
            for chunk in converter.finish() { continuation.yield(chunk) }
            continuation.finish(throwing: error)
        }
    }

    private func handOut() throws -> AudioStream {
        try lock.withLock {
            guard let stream else {
                throw StenoError(
                    .captureUnavailable, "The audio of \(name) is being read already: make a new input for more.")
            }
            self.stream = nil
            return stream
        }
    }
}
