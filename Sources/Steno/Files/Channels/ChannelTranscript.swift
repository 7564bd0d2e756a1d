import StenoCore

/// The transcript of one channel of a recording, and its level.
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

    /// In how many more frames of a stretch this channel is louder than another one, than the reverse.
    ///
    /// Frames are counted, and not their power added, because a word of a louder person may touch the stretch. Silence,
    /// 20 dB below the loudest frame, and differences below 0.5 dB count for neither.
    func louderFrames(_ times: ClosedRange<Double>, than other: Self) -> Int {
        let frames = frames(times, atLeast: 0.1).clamped(to: other.powers.indices)
        let peak = frames.reduce(0) { max($0, powers[$1], other.powers[$1]) }
        return frames.reduce(0) { count, frame in
            let (mine, theirs) = (powers[frame], other.powers[frame])
            guard max(mine, theirs) > 0.01 * peak else { return count }
            return count + (mine > 1.122 * theirs ? 1 : theirs > 1.122 * mine ? -1 : 0)
        }
    }

    /// How much the loudness of a stretch is that of a louder channel, as bleed's is, from −1 to 1.
    ///
    /// Where words of both speakers touch, the one channel is louder in one part of the stretch and the other in the
    /// rest, so that the whole has no correlation: then it is that of the part in which the other is louder, if that
    /// is long and its correlation is high.
    func bleed(_ times: ClosedRange<Double>, of louder: Self) -> Float {
        let frames = frames(times, atLeast: 0.5)
        let whole = correlation(frames, with: louder)
        let part = longestQuietRun(frames, than: louder)
        guard part.count >= Self.shortestPart, part.count < frames.count else { return whole }
        let ofPart = correlation(part, with: louder)
        return ofPart >= Self.leastOfPart ? max(whole, ofPart) : whole
    }

    /// The fewest frames of a part that can show bleed, and the least correlation that does.
    private static let (shortestPart, leastOfPart): (Int, Float) = (15, 0.8)

    /// The longest run of frames in which the mean of 70 ms is below another channel's, without what that mean reaches
    /// beyond its ends.
    private func longestQuietRun(_ frames: Range<Int>, than other: Self) -> Range<Int> {
        let reach = 3
        var (longest, start) = (frames.lowerBound..<frames.lowerBound, frames.lowerBound)
        for end in frames.lowerBound...frames.upperBound {
            let around = (end - reach..<end + reach + 1).clamped(to: 0..<min(powers.count, other.powers.count))
            let isEnd = end == frames.upperBound
            guard isEnd || around.reduce(0, { $0 + powers[$1] - other.powers[$1] }) >= 0 else { continue }
            let last = isEnd ? end : end - reach
            if last - start > longest.count { longest = start..<last }
            start = end + 1 + reach
        }
        return longest
    }

    /// How much the loudness of frames goes up and down with that of another channel: Pearson's correlation of the
    /// amplitudes, at the delay within 50 ms at which it is highest.
    private func correlation(_ frames: Range<Int>, with other: Self) -> Float {
        (-5...5).map { delay in
            let there = frames.clamped(to: max(0, -delay)..<max(max(0, -delay), other.powers.count - delay))
            // A channel that ends earlier has nothing to compare with.
            guard there.count > 1 else { return 0 }
            let one = powers[there].map { $0.squareRoot() }
            let two = other.powers[(there.lowerBound + delay)..<(there.upperBound + delay)].map { $0.squareRoot() }
            return Self.correlation(one, two)
        }
        .max() ?? 0
    }

    private static func correlation(_ one: [Float], _ two: [Float]) -> Float {
        let (mean, otherMean) = (one.reduce(0, +) / Float(one.count), two.reduce(0, +) / Float(two.count))
        var (product, square, otherSquare): (Float, Float, Float) = (0, 0, 0)
        for (value, other) in zip(one, two) {
            product += (value - mean) * (other - otherMean)
            square += (value - mean) * (value - mean)
            otherSquare += (other - otherMean) * (other - otherMean)
        }
        // A level that is steady but for rounding says nothing.
        let least = 1e-6 * Float(one.count)
        guard square > least * mean * mean, otherSquare > least * otherMean * otherMean else { return 0 }
        return product / (square * otherSquare).squareRoot()
    }
}
