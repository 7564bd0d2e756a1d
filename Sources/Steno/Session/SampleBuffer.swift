/// The part of an endless stream that is still needed, indexed by position in the stream.
struct SampleBuffer: Sendable {
    /// Dropping samples moves the rest, so it is done in steps of a second.
    private static let slack = AudioFile.sampleRate

    private var samples: [Float] = []
    private var start = 0

    /// The index of the next sample.
    var end: Int { start + samples.count }

    /// The number of buffered samples.
    var count: Int { samples.count }

    mutating func append(_ more: [Float]) { samples += more }

    /// Drops the samples before an index.
    mutating func forget(before sample: Int) {
        let count = min(sample - start, samples.count)
        guard count >= Self.slack else { return }
        samples.removeFirst(count)
        start += count
    }

    /// The samples of a span, as far as they are buffered.
    subscript(_ span: Range<Int>) -> [Float] {
        let span = span.clamped(to: start..<end)
        return Array(samples[span.lowerBound - start..<span.upperBound - start])
    }

    /// The mean square of a span.
    func energy(_ span: Range<Int>) -> Float {
        let span = span.clamped(to: start..<end)
        guard !span.isEmpty else { return 0 }
        return samples[span.lowerBound - start..<span.upperBound - start].reduce(0) { $0 + $1 * $1 }
            / Float(span.count)
    }
}
