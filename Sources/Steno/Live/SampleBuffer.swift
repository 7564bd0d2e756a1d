/// The part of an endless audio that is still needed, by sample numbers of the whole.
struct SampleBuffer: Sendable {
    /// Dropping samples moves the rest, so it is done a second at a time.
    private static let slack = AudioFile.sampleRate

    private var samples: [Float] = []
    private var start = 0

    /// The number of the sample that comes next.
    var end: Int { start + samples.count }

    /// How many samples are kept.
    var count: Int { samples.count }

    mutating func append(_ more: [Float]) { samples += more }

    /// Drops what comes before a sample.
    mutating func forget(before sample: Int) {
        let count = min(sample - start, samples.count)
        guard count >= Self.slack else { return }
        samples.removeFirst(count)
        start += count
    }

    /// The samples of a span, as far as they are there.
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
