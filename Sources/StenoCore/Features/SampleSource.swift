/// Audio that is read from front to back: 16 kHz, mono, samples from −1 to 1.
///
/// A source belongs to one reader at a time. `read` may block (on a pipe, say), so it is called on a thread of the
/// engine's own and never on Swift's cooperative pool.
public protocol SampleSource: AnyObject {
    /// Reads the next samples into the front of `buffer` and returns how many there were; 0 is the end of the audio.
    func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int

    /// Starts again from the first sample, if the audio can be read twice; returns false on a pipe.
    func rewind() throws -> Bool
}

/// Samples that are already in memory.
public final class ArraySampleSource: SampleSource {
    private let samples: [Float]
    private var position = 0

    /// Creates a source over samples at 16 kHz.
    public init(_ samples: [Float]) { self.samples = samples }

    /// Copies the next samples.
    public func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
        let count = min(buffer.count, samples.count - position)
        _ = buffer.update(fromContentsOf: samples[position..<(position + count)])
        position += count
        return count
    }

    /// Starts again; samples in memory can always be read twice.
    public func rewind() -> Bool {
        position = 0
        return true
    }
}
