/// The part of an endless stream that is still needed, indexed by position in the stream.
///
/// A gap in the stream takes no memory: the audio before and after it are separate pieces.
struct SampleBuffer: Sendable {
    /// Dropping samples moves the rest, so it is done in steps of a second.
    private static let slack = AudioFile.sampleRate

    private struct Piece {
        var start: Int
        var samples: [Float] = []
        var end: Int { start + samples.count }
    }

    /// In order; the last one is appended to.
    private var pieces = [Piece(start: 0)]

    /// The index of the next sample.
    var end: Int { pieces[pieces.count - 1].end }

    var count: Int { pieces.reduce(0) { $0 + $1.samples.count } }

    mutating func append(_ more: [Float]) { pieces[pieces.count - 1].samples += more }

    /// Leaves a gap of `count` samples after the end.
    mutating func jump(by count: Int) { pieces.append(Piece(start: end + count)) }

    mutating func forget(before sample: Int) {
        let end = end
        pieces.removeAll { $0.end <= sample && $0.end < end }
        let count = min(sample - pieces[0].start, pieces[0].samples.count)
        guard count >= Self.slack else { return }
        pieces[0].samples.removeFirst(count)
        pieces[0].start += count
    }

    /// The buffered samples of a span; if it contains a gap, only those before the gap.
    subscript(_ span: Range<Int>) -> [Float] { Array(slice(span)) }

    /// The mean square of a span.
    func energy(_ span: Range<Int>) -> Float {
        let slice = slice(span)
        return slice.isEmpty ? 0 : slice.reduce(0) { $0 + $1 * $1 } / Float(slice.count)
    }

    private func slice(_ span: Range<Int>) -> ArraySlice<Float> {
        guard let piece = pieces.first(where: { $0.end > span.lowerBound }) else { return [] }
        let span = span.clamped(to: piece.start..<piece.end)
        return piece.samples[span.lowerBound - piece.start..<span.upperBound - piece.start]
    }
}
