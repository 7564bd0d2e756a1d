/// Audio read sequentially: 16 kHz, mono, finite samples from −1 to 1.
///
/// A source has one reader at a time. `read` may block, for example on a pipe, so it is called on the engine's own
/// threads and never on Swift's cooperative pool.
public protocol SampleSource: AnyObject {
    /// Reads the next samples into `buffer` and returns their number; 0 is the end of the audio.
    ///
    /// - Throws: Any error, which ends the transcription of this recording.
    func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int

    /// Starts again at the first sample if the audio can be read twice; returns false for a pipe.
    func rewind() throws -> Bool

    /// Warnings about the audio read so far, for example that it ends too early; complete at its end.
    var warnings: [TranscriptionWarning] { get }
}

extension SampleSource {
    /// No warnings.
    public var warnings: [TranscriptionWarning] { [] }
}

package final class ArraySampleSource: SampleSource {
    private let samples: [Float]
    private var position = 0

    package init(_ samples: [Float]) { self.samples = samples }

    package func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
        let count = min(buffer.count, samples.count - position)
        // In debug builds, copying into a buffer without an address traps, even if there is nothing to copy.
        guard count > 0 else { return 0 }
        _ = buffer.update(fromContentsOf: samples[position..<(position + count)])
        position += count
        return count
    }

    package func rewind() -> Bool {
        position = 0
        return true
    }
}

/// Passes audio through unchanged, and shows each sample to a listener once, in whichever pass reads it first.
package final class SampleTap: SampleSource {
    private let source: any SampleSource
    private let onSamples: (UnsafeBufferPointer<Float>) -> Void
    private let onEnd: () -> Void
    /// The number of samples read in this pass.
    private var position = 0
    /// The number of samples shown to the listener.
    private var heard = 0
    private var hasEnded = false

    /// - Parameters:
    ///   - source: The audio, from its first sample.
    ///   - onSamples: Called with the next samples, which are valid only during the call.
    ///   - onEnd: Called once, after all samples.
    package init(
        _ source: any SampleSource, onSamples: @escaping (UnsafeBufferPointer<Float>) -> Void,
        onEnd: @escaping () -> Void = {}
    ) {
        (self.source, self.onSamples, self.onEnd) = (source, onSamples, onEnd)
    }

    package var warnings: [TranscriptionWarning] { source.warnings }

    package func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
        let count = try source.read(into: buffer)
        guard !hasEnded, !buffer.isEmpty else { return count }
        guard count > 0 else {
            hasEnded = true
            onEnd()
            return count
        }
        let known = min(count, heard - position)
        position += count
        heard = max(heard, position)
        if known < count { onSamples(UnsafeBufferPointer(rebasing: buffer[known..<count])) }
        return count
    }

    package func rewind() throws -> Bool {
        guard try source.rewind() else { return false }
        position = 0
        return true
    }
}
