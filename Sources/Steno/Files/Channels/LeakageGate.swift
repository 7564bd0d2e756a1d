import Foundation
import StenoCore

/// Says in which frames of a channel its own speaker may be heard, rather than only the speakers of other channels
/// through its microphone.
///
/// Leakage keeps its level relative to the channel from which it comes, so the most frequent ratio of the two, while the
/// other channel is the louder one, is that of the leakage. What is clearly louder than that is the channel's own.
struct LeakageGate {
    /// Frames on either side over which power is averaged: 0.15 s.
    private static let reach = 15
    /// What is this many times as loud as the leakage that is expected is not leakage: 3 dB.
    private static let margin: Float = 2
    /// What is louder than this share of the other channel's power is never leakage: −1 dB.
    private static let mostLeakage: Float = 0.8
    /// Another channel's speaker is heard where the power is as many times that of its noise.
    private static let loud: Float = 30
    /// Leakage has at least as many times the power of the channel's noise, in as many of the frames of a loud other
    /// channel, which are at least as many.
    private static let leastRise: Float = 4
    private static let leastShare = 0.25
    private static let leastFrames = 100
    /// Own speech has this many times the power of the noise.
    private static let audible: Float = 4
    /// Shorter stretches of own speech are leakage that is louder for a moment: 0.2 s.
    private static let shortest = 20
    /// Frames that stay on either side of own speech: 80 ms.
    private static let hold = 8

    /// The mean power around each frame, and that of the noise.
    private struct Level {
        var means: [Float]
        var noise: Float

        init(_ powers: [Float]) {
            means = Self.means(powers)
            let sorted = powers.sorted()
            noise = max(sorted.isEmpty ? 0 : sorted[sorted.count / 10], 1e-12)
        }

        private static func means(_ powers: [Float]) -> [Float] {
            // In double, because it sums up all that came before.
            var sums: [Double] = [0]
            sums.reserveCapacity(powers.count + 1)
            for power in powers { sums.append(sums[sums.count - 1] + Double(power)) }
            return powers.indices.map { frame in
                let around = max(0, frame - reach)..<min(powers.count, frame + reach + 1)
                return Float((sums[around.upperBound] - sums[around.lowerBound]) / Double(around.count))
            }
        }
    }

    /// Whether each frame of each channel is kept; nil for a channel without leakage.
    ///
    /// - Parameter powers: The mean square of the samples of each channel in frames of 10 ms.
    static func kept(_ powers: [[Float]]) -> [[Bool]?] {
        let levels = powers.map(Level.init)
        return levels.indices.map { channel in
            let sources = levels.indices.compactMap { other -> (level: Level, share: Float)? in
                guard other != channel, let share = leakage(of: levels[other], in: levels[channel]) else { return nil }
                return (levels[other], min(share * margin, mostLeakage))
            }
            return sources.isEmpty ? nil : kept(levels[channel], sources)
        }
    }

    /// The power of leakage as a share of that of the channel from which it comes; nil if there is none.
    private static func leakage(of other: Level, in own: Level) -> Float? {
        let frames = own.means.indices.clamped(to: other.means.indices).filter {
            other.means[$0] > loud * other.noise && own.means[$0] < other.means[$0]
        }
        guard frames.count >= leastFrames else { return nil }
        let decibels = frames.map { frame in
            let ratio = max(own.means[frame] - own.noise, 1e-12) / max(other.means[frame] - other.noise, 1e-12)
            return max(-60, min(-1, Int((10 * log10(ratio)).rounded(.down))))
        }
        var counts = [Int](repeating: 0, count: 62)
        // Each counts for its neighbours too, which makes the most frequent one more certain.
        for value in decibels { for place in value + 60...value + 62 { counts[place] += 1 } }
        let usual = (counts.indices.max { counts[$0] < counts[$1] } ?? 0) - 61
        let near = zip(frames, decibels).filter { abs($1 - usual) <= 3 }.map { own.means[$0.0] }.sorted()
        guard Double(near.count) >= leastShare * Double(frames.count), near[near.count / 2] > leastRise * own.noise
        else {
            return nil
        }
        return pow(10, (Float(usual) + 0.5) / 10)
    }

    private static func kept(_ own: Level, _ sources: [(level: Level, share: Float)]) -> [Bool] {
        let isOwn = own.means.indices.map { frame in
            let expected = sources.reduce(Float(0)) { sum, source in
                sum + (frame < source.level.means.count ? source.share * source.level.means[frame] : 0)
            }
            return own.means[frame] > expected + audible * own.noise
        }
        var kept = [Bool](repeating: false, count: isOwn.count)
        var start = 0
        for end in 0...isOwn.count where end == isOwn.count || !isOwn[end] {
            if end - start >= shortest {
                for frame in max(0, start - hold)..<min(isOwn.count, end + hold) { kept[frame] = true }
            }
            start = end + 1
        }
        return kept
    }
}

/// A channel without what ``LeakageGate`` says is leakage.
///
/// It becomes 50 dB quieter rather than silent, so that the noise of the line remains.
final class GatedSource: SampleSource {
    private static let quiet: Float = 0.003

    private let source: any SampleSource
    private let kept: [Bool]
    private var position = 0

    /// - Parameter kept: Whether each frame of 10 ms is kept, as is all that follows them.
    init(_ source: any SampleSource, kept: [Bool]) { (self.source, self.kept) = (source, kept) }

    var warnings: [TranscriptionWarning] { source.warnings }

    func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
        let count = try source.read(into: buffer)
        for index in 0..<count { buffer[index] *= gain(at: position + index) }
        position += count
        return count
    }

    func rewind() throws -> Bool {
        position = 0
        return try source.rewind()
    }

    /// It changes over the length of a frame, because a step is a click.
    private func gain(at sample: Int) -> Float {
        let (frame, offset) = sample.quotientAndRemainder(dividingBy: ChannelEnvelope.frameLength)
        let (last, now) = (gain(ofFrame: max(0, frame - 1)), gain(ofFrame: frame))
        return last == now ? now : last + (now - last) * Float(offset) / Float(ChannelEnvelope.frameLength)
    }

    private func gain(ofFrame frame: Int) -> Float { frame < kept.count && !kept[frame] ? Self.quiet : 1 }
}
