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

/// Samples in memory.
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
