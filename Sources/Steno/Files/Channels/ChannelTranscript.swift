import StenoCore

/// What was heard in one channel of a recording, and how loud the channel is.
struct ChannelTranscript: Sendable {
    /// The transcript, with word times.
    var transcript: Transcript
    /// The mean square of the samples in frames of 10 ms.
    var powers: [Float]

    /// The frames of a stretch, widened to a length in seconds on both sides, within the channel.
    private func frames(_ times: ClosedRange<Double>, atLeast length: Double) -> Range<Int> {
        let more = max(0, (length - (times.upperBound - times.lowerBound)) / 2)
        let start = min(max(0, Int(((times.lowerBound - more) * 100).rounded(.down))), powers.count)
        let end = min(max(start, Int(((times.upperBound + more) * 100).rounded(.up))), powers.count)
        return start..<end
    }

    /// The mean power of a stretch.
    func power(_ times: ClosedRange<Double>) -> Float {
        let frames = frames(times, atLeast: 0.1)
        return frames.isEmpty ? 0 : powers[frames].reduce(0, +) / Float(frames.count)
    }

    /// How much the loudness of a stretch goes up and down with that of another channel: Pearson's correlation of the
    /// amplitudes, at the delay within 50 ms at which it is highest.
    func correlation(_ times: ClosedRange<Double>, with other: Self) -> Float {
        let frames = frames(times, atLeast: 0.5)
        return (-5...5).map { delay in
            let there = frames.clamped(to: max(0, -delay)..<max(max(0, -delay), other.powers.count - delay))
            let one = powers[there].map { $0.squareRoot() }
            let two = other.powers[(there.lowerBound + delay)..<(there.upperBound + delay)].map { $0.squareRoot() }
            return Self.correlation(one, two)
        }
        .max() ?? 0
    }

    private static func correlation(_ one: [Float], _ two: [Float]) -> Float {
        guard one.count > 1 else { return 0 }
        let (mean, otherMean) = (one.reduce(0, +) / Float(one.count), two.reduce(0, +) / Float(two.count))
        var (product, square, otherSquare): (Float, Float, Float) = (0, 0, 0)
        for (value, other) in zip(one, two) {
            product += (value - mean) * (other - otherMean)
            square += (value - mean) * (value - mean)
            otherSquare += (other - otherMean) * (other - otherMean)
        }
        let scale = (square * otherSquare).squareRoot()
        return scale > 0 ? product / scale : 0
    }
}
