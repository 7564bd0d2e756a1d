import Foundation
import StenoCore

/// How loud a recording is in each frame of the segmentation, in two bytes a frame.
struct FrameLevels {
    /// The mean square of a frame's samples and the square of the largest, in steps of half a decibel from −100 dB on.
    private(set) var means: [UInt8] = []
    private(set) var peaks: [UInt8] = []
    /// The samples of the next frame so far; negative before the first frame, which begins half a step before its centre.
    private var count = -(SegmentationModel.firstFrameCentre - SegmentationModel.frameStep / 2)
    private var sum = 0.0
    private var peak = 0.0

    init() {}

    init(means: [UInt8], peaks: [UInt8]) { (self.means, self.peaks) = (means, peaks) }

    mutating func append(_ samples: some Sequence<Float>) {
        for sample in samples {
            if count >= 0 {
                let power = Double(sample) * Double(sample)
                sum += power
                peak = max(peak, power)
            }
            count += 1
            if count == SegmentationModel.frameStep { endFrame() }
        }
    }

    /// Ends the recording, with silence up to a number of frames.
    mutating func finish(frames: Int) {
        if count > 0 { endFrame() }
        let missing = max(0, frames - means.count)
        means += [UInt8](repeating: 0, count: missing)
        peaks += [UInt8](repeating: 0, count: missing)
    }

    /// Forgets the first frames.
    mutating func removeFirst(_ count: Int) {
        means.removeFirst(count)
        peaks.removeFirst(count)
    }

    private mutating func endFrame() {
        means.append(Self.level(sum / Double(SegmentationModel.frameStep)))
        peaks.append(Self.level(peak))
        (count, sum, peak) = (0, 0, 0)
    }

    private static func level(_ power: Double) -> UInt8 {
        guard power > 1e-10 else { return 0 }
        return UInt8(min(255, (2 * (10 * log10(power) + 100)).rounded()))
    }

    /// The power of each level.
    static let powers = (0..<256).map { pow(10, (Double($0) / 2 - 100) / 10) }
}
