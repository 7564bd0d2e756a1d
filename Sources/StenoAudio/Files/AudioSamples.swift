import Foundation
package import StenoCore

/// Samples in memory, of any rate and number of channels, checked before they are used.
package struct AudioSamples: Sendable {
    private let samples: [Float]
    private let sampleRate: Int

    /// Checks interleaved samples and mixes their channels.
    ///
    /// - Throws: `StenoError.invalidOption` when the rate or the channels are out of range, when the samples are not a
    ///   whole number of frames, or when one of them is not a finite number.
    package init(_ samples: [Float], sampleRate: Int, channels: Int) throws {
        // `PCMFormat` checks the ranges.
        try PCMFormat(.float32, sampleRate: sampleRate, channels: channels).checkWholeFrames(samples.count)
        if let wrong = samples.firstIndex(where: { !$0.isFinite }) {
            throw StenoError(
                .invalidOption,
                "Sample \(wrong) is \(samples[wrong]): samples must be numbers from −1 to 1. "
                    + "Check where they come from, or replace this one with 0.")
        }
        self.sampleRate = sampleRate
        self.samples = channels == 1 ? samples : Self.mix(samples, channels)
    }

    package func source() -> any SampleSource {
        sampleRate == AudioFile.sampleRate
            ? ArraySampleSource(samples) : ResamplingSource(RatedSamples(samples, sampleRate: sampleRate))
    }

    private static func mix(_ samples: [Float], _ channels: Int) -> [Float] {
        stride(from: 0, to: samples.count, by: channels).map { frame in
            samples[frame..<frame + channels].reduce(0, +) / Float(channels)
        }
    }
}

private final class RatedSamples: NativeRateSource {
    let sampleRate: Int
    private let samples: ArraySampleSource

    init(_ samples: [Float], sampleRate: Int) {
        self.sampleRate = sampleRate
        self.samples = ArraySampleSource(samples)
    }

    func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int { samples.read(into: buffer) }

    func rewind() -> Bool { samples.rewind() }
}
