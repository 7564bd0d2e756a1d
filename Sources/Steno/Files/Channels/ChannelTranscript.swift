import StenoCore

struct ChannelTranscript: Sendable {
    /// The transcript, with word times.
    var transcript: Transcript
    /// The mean square of the samples in frames of 10 ms.
    var powers: [Float]

    /// The frames of a stretch, widened on both sides to a minimum length in seconds, within the channel.
    private func frames(_ times: ClosedRange<Double>, atLeast length: Double) -> Range<Int> {
        let more = max(0, (length - (times.upperBound - times.lowerBound)) / 2)
        let start = min(max(0, Int(((times.lowerBound - more) * 100).rounded(.down))), powers.count)
        let end = min(max(start, Int(((times.upperBound + more) * 100).rounded(.up))), powers.count)
        return start..<end
    }

    /// The number of frames of a stretch in which this channel is louder than another, minus those in which it is
    /// quieter.
    ///
    /// Frames are counted rather than their power summed, because a word of a louder person may touch the stretch.
    /// Silence, 20 dB below the loudest frame, and differences below 0.5 dB count for neither.
    func louderFrames(_ times: ClosedRange<Double>, than other: Self) -> Int {
        let frames = frames(times, atLeast: 0.1).clamped(to: other.powers.indices)
        let peak = frames.reduce(0) { max($0, powers[$1], other.powers[$1]) }
        return frames.reduce(0) { count, frame in
            let (mine, theirs) = (powers[frame], other.powers[frame])
            guard max(mine, theirs) > 0.01 * peak else { return count }
            return count + (mine > 1.122 * theirs ? 1 : theirs > 1.122 * mine ? -1 : 0)
        }
    }

    /// How closely the loudness of a stretch follows that of a louder channel, as bleed does, from −1 to 1.
    ///
    /// Where words of both speakers touch, each channel is louder in one part of the stretch, so the whole shows no
    /// correlation. The part in which the other channel is louder then counts instead, if it is long enough and its
    /// correlation high.
    func bleed(_ times: ClosedRange<Double>, of louder: Self) -> Float {
        let frames = frames(times, atLeast: 0.5)
        let whole = correlation(frames, with: louder)
        let part = longestQuietRun(frames, than: louder)
        guard part.count >= Self.shortestPart, part.count < frames.count else { return whole }
        let ofPart = correlation(part, with: louder)
        return ofPart >= Self.leastOfPart ? max(whole, ofPart) : whole
    }

    /// The fewest frames of a part that can show bleed, and the lowest correlation.
    private static let (shortestPart, leastOfPart): (Int, Float) = (15, 0.8)

    /// The longest run of frames in which the mean over 70 ms is below another channel's, without the reach of that
    /// mean at the ends.
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

    /// How closely the loudness of frames follows another channel's: Pearson's correlation of the amplitudes, at the
    /// delay within ±50 ms at which it is highest.
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
        // A level that is steady except for rounding says nothing.
        let least = 1e-6 * Float(one.count)
        guard square > least * mean * mean, otherSquare > least * otherMean * otherMean else { return 0 }
        return product / (square * otherSquare).squareRoot()
    }
}
