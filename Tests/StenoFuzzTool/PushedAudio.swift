import Foundation
import Steno

/// Pushes a device's blocks into an input that nobody reads, for the counters of `Tools/ci/count_pushes.sh`.
enum PushedAudio {
    /// Blocks of 10 ms, interleaved and planar; some do not fit.
    static func push(blocks: Int) throws {
        let input = try AudioInput(sampleRate: 48_000, channels: 2, bufferDuration: 20)
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 960)
        samples.initialize(repeating: 0.1, count: 960)
        let planar = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
        planar.initialize(repeating: samples, count: 2)
        var taken = 0
        for _ in 0..<blocks {
            if input.push(samples, frames: 480) { taken += 1 }
            if input.push(planar: planar, frames: 480) { taken += 1 }
        }
        print("taken \(taken)")
        planar.deallocate()
        samples.deallocate()
    }
}
